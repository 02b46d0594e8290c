import { readEvent } from "@packhouse/contract/operations/events";
import "@mantine/core/styles/FloatingIndicator.layer.css";
import "@mantine/core/styles/SegmentedControl.layer.css";
import { Menu, SegmentedControl } from "@mantine/core";
import { useWindowScroll } from "@mantine/hooks";
import { eventList } from "@packhouse/contract/events";
import { IconArrowUp, IconDownload, IconRefresh } from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, call } from "../../api/client.ts";
import { loadFailure } from "../../api/load-failure.ts";
import { saveBlob } from "../../api/save-blob.ts";
import { reportFailure } from "../../calls/report-failure.tsx";
import { formatNumber } from "../../language/i18n.ts";
import { type FilterField, shownOf } from "../../list/define-list.ts";
import {
  differsFromDefault,
  type ListAddress,
  listSearch,
  readAddress,
  requestQuery,
  writeAddress,
} from "../../list/list-address.ts";
import { FilterBar } from "../../list/screen/filter-bar.tsx";
import { useOwnUser } from "../../session/use-session.ts";
import { FailedLoad } from "../../ui/display/failed-load.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { PopupMenu } from "../../ui/popups/popup-menu.tsx";
import { usePopup } from "../../ui/popups/use-popup.ts";
import buttonStyles from "../../ui/styles/button.module.css";
import emptyStyles from "../../ui/styles/empty.module.css";
import loadingStyles from "../../ui/styles/loading.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import pillStyles from "../../ui/styles/pill.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { toast } from "../../ui/toasts.tsx";
import "../../ui/display/time-texts.ts";
import type { Zone } from "../../list/list-address.ts";
import { EventCard } from "./event-card.tsx";
import { type EventKind, filterFields, hasSecurityEvents } from "./event-kinds.ts";
import { EventTable } from "./event-table.tsx";
import { zoneName } from "./event-times.ts";
import { allEvents, asOneDocument, eventsAs, mostExported, serverExport } from "./export-events.ts";
import timelineStyles from "./timeline.module.css";
import { Timeline } from "./timeline.tsx";

const pageSize = 10;
const defaults = { filters: {}, sort: { field: "time", direction: "desc" as const } };
/** Events are shown as a timeline or as rows, in the user's time zone or in UTC, depending on the address. */
const views = ["timeline", "table"] as const;
const kinds = ["activity", "security"] as const satisfies readonly EventKind[];
type View = (typeof views)[number];

/** Who did what to what, newest first; older events load when the user scrolls to the end. */
export function EventsScreen() {
  const { t } = useTranslation();
  const user = useOwnUser();
  const navigate = useNavigate();
  const search = useSearch({ from: "/signed-in/events" });
  const address = readAddress(eventList, search, defaults);
  const view = search.view ?? "timeline";
  const zone: Zone = search.zone ?? "local";
  const kind: EventKind = address.filters.security === "true" ? "security" : "activity";
  const flags: Record<string, string> = kind === "security" ? { security: "true" } : {};
  const offered = useQuery(hasSecurityEvents).data === true || kind === "security";
  const go = (change: Partial<ListAddress>, more: { view?: View; zone?: Zone } = {}) => {
    const kept = { view, zone, ...more };
    void navigate({
      to: "/events",
      search: {
        ...listSearch(eventList)(writeAddress({ ...address, open: undefined, ...change }, defaults)),
        view: kept.view === "table" ? kept.view : undefined,
        zone: kept.zone === "utc" ? kept.zone : undefined,
      },
      replace: true,
    });
  };
  const queryOf = (page: number) => requestQuery({ ...address, page }, pageSize, undefined, zone);
  const query = queryOf(1);
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ["list", eventList.path, "timeline", query.toString()],
    queryFn: ({ pageParam, signal }) => api.list(eventList, queryOf(pageParam + 1), signal),
    initialPageParam: 0,
    getNextPageParam: (last) => (last.links.some(({ rel }) => rel === "next") ? last.page.number + 1 : undefined),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  const end = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (!end.current || !hasNextPage) return;
    const observer = new IntersectionObserver(([entry]) => {
      if (entry?.isIntersecting && !isFetching) void fetchNextPage();
    });
    observer.observe(end.current);
    return () => observer.disconnect();
  }, [hasNextPage, isFetching, fetchNextPage]);

  const events = data?.pages.flatMap((page) => page.content) ?? [];
  // New events shift the others: the last ones of a page can appear again on the next one.
  const known = [...new Map(events.map((event) => [event.id, event])).values()];
  const total = data?.pages[0]?.page.totalElements ?? 0;
  return (
    <div className={pageStyles.listScreen} data-testid="screen-events">
      <div className={pageStyles.head}>
        <h1>{t("nav.events")}</h1>
        <span className={textStyles.muted}>{data && formatNumber(total)}</span>
        <span className={visibilityStyles.hidden} role="status">
          {data && !isFetching && t("list.results", { count: total, formatted: formatNumber(total) })}
        </span>
        <span className={pageStyles.spring} />
        <div className={pageStyles.secondLine}>
          {offered && (
            <SegmentedControl
              size="xs"
              aria-label={t("event.kind")}
              data={kinds.map((value) => ({ value, label: t(`event.${value}`) }))}
              value={kind}
              // The other kind has different filters.
              onChange={(next) => go({ filters: next === "security" ? { security: "true" } : {} })}
              data-testid="events-kind"
            />
          )}
          <SegmentedControl
            size="xs"
            aria-label={t("event.view")}
            data={views.map((value) => ({ value, label: t(`event.${value}`) }))}
            value={view}
            onChange={(next) => go({}, { view: next })}
            data-testid="events-view"
          />
          <span className={textStyles.muted} data-testid="zone">
            {t("time.zone", { zone: zoneName(zone) })}
          </span>
          <button
            type="button"
            className={pillStyles.pill}
            aria-pressed={zone === "utc"}
            data-applied={zone === "utc" || undefined}
            onClick={() => go({}, { zone: zone === "utc" ? "local" : "utc" })}
            data-testid="events-utc"
          >
            UTC
          </button>
        </div>
        <ExportMenu query={query} />
        <IconButton icon={IconRefresh} label={t("action.refresh")} testId="refresh" onPress={() => void refetch()} />
      </div>
      <FilterBar
        key={kind}
        fields={Object.fromEntries(shownOf<FilterField>(filterFields[kind]))}
        values={address.filters}
        defaults={defaults.filters}
        role={user.role}
        onChange={(filters) => go({ filters: { ...filters, ...flags } })}
      />
      {address.open !== undefined && (
        <OneEvent id={address.open} security={kind === "security"} zone={zone} onClose={() => go({})} />
      )}
      <div className={timelineStyles.timeline} data-view={view} aria-busy={isFetching} data-testid="timeline">
        {isPending &&
          [1, 2, 3, 4].map((row) => (
            <div key={row} className={`${loadingStyles.skeleton} ${timelineStyles.skeleton}`} />
          ))}
        {view === "timeline" ? (
          <Timeline events={known} zone={zone} />
        ) : (
          known.length > 0 && <EventTable events={known} zone={zone} />
        )}
        {data && known.length === 0 && (
          <div className={emptyStyles.empty} data-testid="empty">
            <strong>{t("event.none")}</strong>
            {differsFromDefault({ ...address.filters, security: "" }, defaults) && (
              <button type="button" className={buttonStyles.linkButton} onClick={() => go({ filters: flags })}>
                {t("list.resetFilter")}
              </button>
            )}
          </div>
        )}
        {error && !data && <FailedLoad onRetry={() => void refetch()} {...loadFailure(error, t)} />}
        <div ref={end} className={timelineStyles.end}>
          {hasNextPage && (
            <button
              type="button"
              className={buttonStyles.button}
              onClick={() => void fetchNextPage()}
              data-testid="events-more"
            >
              {t("event.more")}
            </button>
          )}
        </div>
      </div>
      <ToTop />
    </div>
  );
}

/** The event that the address selects, above the others: a link that can be shared. */
function OneEvent({ id, security, zone, onClose }: { id: string; security: boolean; zone: Zone; onClose(): void }) {
  const { t } = useTranslation();
  const { data, error } = useQuery({
    queryKey: ["event", id, security],
    queryFn: ({ signal }) =>
      call(readEvent, { id: Number(id), ...(security ? { query: { security: "true" } } : {}) }, { signal }),
    enabled: /^\d{1,12}$/.test(id),
    retry: false,
    meta: { shownInPlace: true },
  });
  return (
    <section className={timelineStyles.oneEvent} aria-label={t("event.linked")} data-testid="event-open">
      {data && (
        <ol className={timelineStyles.events}>
          <EventCard event={data} zone={zone} />
        </ol>
      )}
      {error && <p className={textStyles.muted}>{t("code.event.notfound")}</p>}
      <button type="button" className={buttonStyles.linkButton} onClick={onClose}>
        {t("event.showAll")}
      </button>
    </section>
  );
}

const formats = {
  csv: { made: "csv", label: "CSV", type: "text/csv;charset=utf-8" },
  jsonl: { made: "jsonl", label: "JSON Lines", type: "application/x-ndjson" },
  json: { made: "jsonl", label: "JSON", type: "application/json" },
} as const;
type Format = keyof typeof formats;
const formatNames = Object.keys(formats) as Format[]; // the keys of the table

/**
 * Saves everything that matches the filter, not only what is on the screen: as written by the server if it can export,
 * otherwise assembled here.
 */
function ExportMenu({ query }: { query: URLSearchParams }) {
  const { t } = useTranslation();
  const { button, state } = usePopup("menu");
  const [count, setCount] = useState<number>();
  const save = async (format: Format) => {
    if (count !== undefined) return; // one export at a time
    setCount(0);
    const { made, type } = formats[format];
    const parameters = new URLSearchParams(query);
    try {
      let file = await serverExport(parameters, made);
      if (!file) {
        const events = await allEvents(parameters, setCount);
        file = new Blob([eventsAs(made, events, parameters.get("security") === "true")]);
        if (events.length >= mostExported)
          toast.warning(t("event.exportCut", { formatted: formatNumber(mostExported) }));
      }
      const content = format === "json" ? asOneDocument(await file.text()) : file;
      saveBlob(new Blob([content], { type }), `events.${format}`);
    } catch (error) {
      reportFailure(error);
    } finally {
      setCount(undefined);
    }
  };
  return (
    <>
      <button
        type="button"
        className={buttonStyles.button}
        aria-busy={count !== undefined}
        data-testid="export"
        {...button}
      >
        <IconDownload size={18} stroke={1.75} aria-hidden />
        {count === undefined ? (
          <span className={visibilityStyles.wideOnlyText}>{t("event.export")}</span>
        ) : (
          formatNumber(count)
        )}
      </button>
      {state && (
        <PopupMenu state={state} withinPortal={false}>
          {formatNames.map((format) => (
            <Menu.Item key={format} onClick={() => void save(format)} data-testid={`export-${format}`}>
              {formats[format].label}
            </Menu.Item>
          ))}
        </PopupMenu>
      )}
    </>
  );
}

const toTopAfterPx = 20;

function ToTop() {
  const { t } = useTranslation();
  const [{ y }, scrollTo] = useWindowScroll();
  if (y <= toTopAfterPx) return null;
  return (
    <button
      type="button"
      className={timelineStyles.toTop}
      aria-label={t("event.toTop")}
      title={t("event.toTop")}
      onClick={() => scrollTo({ y: 0 })}
      data-testid="to-top"
    >
      <IconArrowUp size={20} stroke={1.75} aria-hidden />
    </button>
  );
}
