import { type EventItem, eventList, resourceTypeFilter } from "@packhouse/contract/events";
import { technology } from "@packhouse/contract/technology";
import {
  type Icon,
  IconBox,
  IconCloudUpload,
  IconFilePlus,
  IconFolderRoot,
  IconKey,
  IconMail,
  IconRefresh,
  IconRotate,
  IconTrash,
  IconUser,
  IconUserCog,
  IconUserShield,
} from "@tabler/icons-react";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/client.ts";
import { repositoryNames } from "../api/options.ts";
import { subjectOf } from "../event-summary/related-resource.ts";
import { formatDate, formatDateTime, formatNumber } from "../language/i18n.ts";
import type { FilterField } from "../list/define-list.ts";
import { FilterBar } from "../list/filter-bar.tsx";
import { type ListSearch, readAddress, requestQuery, writeAddress } from "../list/list-address.ts";
import { useOwnUser } from "../session/use-session.ts";
import { FailedLoad } from "../ui/failed-load.tsx";
import { IconButton } from "../ui/icon-button.tsx";
import { ChangedProperties } from "./changed-properties.tsx";

const pageSize = 20;
const defaults = { filters: {}, sort: { field: "time", direction: "desc" as const } };
const eventTypes = ["create", "delete", "republish", "update", "upload"] as const;
const resourceFilters = Object.values(resourceTypeFilter);

const typeIcons: Record<EventItem["eventType"], Icon> = {
  create: IconFilePlus,
  delete: IconTrash,
  republish: IconRotate,
  update: IconRefresh,
  upload: IconCloudUpload,
};
const resourceIcons: Record<EventItem["resourceType"], Icon> = {
  PACKAGE: IconBox,
  REPOSITORY: IconFolderRoot,
  SUBMISSION: IconMail,
  USER: IconUser,
  PACKAGE_MAINTAINER: IconUserCog,
  REPOSITORY_MAINTAINER: IconUserShield,
  ACCESS_TOKEN: IconKey,
};

const fields: Record<string, FilterField> = {
  technology: { kind: "choices", label: "filter.technology", testId: "technologies", options: technology.options },
  eventType: {
    kind: "choices",
    label: "filter.eventType",
    options: eventTypes,
    optionLabel: (t, value) => t(`event.${value as (typeof eventTypes)[number]}`),
  },
  resourceType: {
    kind: "choices",
    label: "filter.resourceType",
    options: resourceFilters,
    optionLabel: (t, value) => t(`eventResource.${value as (typeof resourceFilters)[number]}`),
  },
  userName: { kind: "search", label: "filter.user" },
  repositoryName: { kind: "picker", label: "filter.repository", testId: "repositories", options: repositoryNames },
  fromDate: { kind: "date", end: "from", label: "filter.fromDate" },
  toDate: { kind: "date", end: "to", label: "filter.toDate" },
};

/** Who did what to what, newest first, by day; older ones load as somebody scrolls to the end. */
export function EventsScreen() {
  const { t } = useTranslation();
  const user = useOwnUser();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ListSearch;
  const address = readAddress(eventList, search, defaults);
  const query = requestQuery({ ...address, page: 1 }, pageSize);
  const { data, error, isPending, isFetching, hasNextPage, fetchNextPage, refetch } = useInfiniteQuery({
    queryKey: ["list", eventList.path, "timeline", query],
    queryFn: ({ pageParam, signal }) => api.list(eventList, query.replace("page=0", `page=${pageParam}`), signal),
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
  // An event that came meanwhile moves the others on: what was on one page may stand on the next again.
  const known = [...new Map(events.map((event) => [event.id, event])).values()];
  const days = Map.groupBy(known, (event) => formatDate(event.time));
  return (
    <div className="ph-list-screen" data-testid="screen-events">
      <div className="ph-head">
        <h1>{t("nav.events")}</h1>
        <span className="ph-muted">{data && formatNumber(data.pages[0]?.page.totalElements ?? 0)}</span>
        <span className="ph-spring" />
        <IconButton icon={IconRefresh} label={t("action.refresh")} testId="refresh" onPress={() => void refetch()} />
      </div>
      <FilterBar
        fields={fields}
        values={address.filters}
        defaults={defaults.filters}
        role={user.role}
        onChange={(filters) =>
          void navigate({ to: ".", search: writeAddress({ ...address, filters }, defaults) as never, replace: true })
        }
      />
      <div className="ph-timeline" aria-busy={isFetching} data-testid="timeline">
        {isPending && [1, 2, 3, 4].map((row) => <div key={row} className="ph-skeleton ph-event-skeleton" />)}
        {[...days].map(([day, some]) => (
          <section key={day} aria-label={day}>
            <h2 className="ph-day">{day}</h2>
            <ol className="ph-events">
              {some.map((event) => (
                <EventCard key={event.id} event={event} />
              ))}
            </ol>
          </section>
        ))}
        {data && known.length === 0 && (
          <div className="ph-empty" data-testid="empty">
            <strong>{t("event.none")}</strong>
          </div>
        )}
        {error && !data && <FailedLoad onRetry={() => void refetch()} traceId={undefined} />}
        <div ref={end} style={{ textAlign: "center", minHeight: 40 }}>
          {hasNextPage && (
            <button type="button" className="ph-link-button" onClick={() => void fetchNextPage()} data-testid="more">
              {t("event.more")}
            </button>
          )}
        </div>
      </div>
    </div>
  );
}

function EventCard({ event }: { event: EventItem }) {
  const { t } = useTranslation();
  const TypeIcon = typeIcons[event.eventType];
  const ResourceIcon = resourceIcons[event.resourceType];
  const subject = subjectOf(event);
  const title = (
    <>
      <span className="ph-name-text">{subject.title}</span>
      {subject.version && <span className="ph-version">v.{subject.version}</span>}
    </>
  );
  return (
    <li className="ph-event" data-testid={`event-${event.id}`}>
      <span className="ph-event-mark" data-type={event.eventType} aria-hidden>
        <TypeIcon size={16} stroke={1.9} />
      </span>
      <div className="ph-event-card">
        <div className="ph-event-head">
          <ResourceIcon size={18} stroke={1.75} aria-hidden className="ph-muted" />
          <span className="ph-name-line">
            {subject.address ? (
              <Link to={subject.address as never} href={subject.address} className="ph-event-link">
                {title}
              </Link>
            ) : (
              title
            )}
          </span>
          {subject.place && <span className="ph-muted">{subject.place}</span>}
        </div>
        <div className="ph-event-what">
          <span className="ph-chip" data-tone={event.eventType === "delete" ? "red" : undefined}>
            {t(`event.${event.eventType}`)}
          </span>
          <span>{t(`eventResource.${resourceTypeFilter[event.resourceType]}`)}</span>
          <span className="ph-muted">{t("event.by", { name: event.user.name })}</span>
          <time dateTime={event.time} className="ph-muted ph-event-time" title={formatDateTime(event.time)}>
            {formatDateTime(event.time).slice(-5)}
          </time>
        </div>
        <ChangedProperties changes={event.changedProperties} />
      </div>
    </li>
  );
}
