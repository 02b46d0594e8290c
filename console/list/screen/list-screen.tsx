import { type AnyList, type ItemOf, largestPageSize } from "@packhouse/contract/list-contract";
import { hasRole } from "@packhouse/contract/roles";
import { IconPlus, IconRefresh, IconTrash } from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useLocation, useNavigate, useRouter } from "@tanstack/react-router";
import { type ReactNode, Suspense, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { loadFailure } from "../../api/load-failure.ts";
import { refusesOrder } from "../../api/natural-order.ts";
import { useDelayedActions } from "../../calls/delayed-action.ts";
import { formatNumber } from "../../language/i18n.ts";
import { rememberSearch } from "../../session/last-searches.ts";
import { useCan, useOwnUser, useServerConfiguration } from "../../session/use-session.ts";
import { FailedLoad } from "../../ui/display/failed-load.tsx";
import { Checkbox } from "../../ui/forms/checkbox.tsx";
import { IconButton } from "../../ui/icon-button.tsx";
import { lazyWithRetry } from "../../ui/loading/lazy-with-retry.ts";
import loadingStyles from "../../ui/styles/loading.module.css";
import pageStyles from "../../ui/styles/page.module.css";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import { toast } from "../../ui/toasts.tsx";
import { useMedia } from "../../ui/use-media.ts";
import {
  type Column,
  type FilterField,
  firstReason,
  type ListContext,
  type ListDeclaration,
  type RowDialog,
  shownOf,
} from "../define-list.ts";
import { noteIgnored } from "../ignored-parts.ts";
import {
  differsFromDefault,
  type ListAddress,
  type ListSearch,
  nextSort,
  readAddress,
  requestQuery,
  withOpenRow,
  writeAddress,
} from "../list-address.ts";
import bulkBarStyles from "./bulk-bar.module.css";
import type { BulkBar as BulkBarOf } from "./bulk-bar.tsx";
import type { EmptyList as EmptyListOf } from "./empty-list.tsx";
import { everyItem } from "./every-item.ts";
import { FilterBar } from "./filter-bar.tsx";
import { HeaderCell } from "./header-cell.tsx";
import { Pager, pageSizes } from "./pager.tsx";
import { classesOf, ListRow } from "./rows/list-row.tsx";
import { useCalmScroll } from "./rows/use-calm-scroll.ts";
import { useRowKeys } from "./rows/use-row-keys.ts";
import { useRowsInSteps } from "./rows/use-rows-in-steps.ts";
import { useSelection } from "./rows/use-selection.ts";
import { useStableCallback } from "./use-stable-callback.ts";

// Most first screens have rows, and no selected ones. `lazy` loses the type parameter.
const BulkBar = lazyWithRetry(() => import("./bulk-bar.tsx").then((it) => it.BulkBar)) as unknown as typeof BulkBarOf;
const EmptyList = lazyWithRetry(() =>
  import("./empty-list.tsx").then((it) => it.EmptyList),
) as unknown as typeof EmptyListOf;

/** Room for "deleting… Undo" in every language. */
const actionsWidth = 156;
/** Between cards, which have room for everything, and tables next to the drawer. */
const crampedTable = "(min-width: 960px) and (max-width: 1279px)";
const lastPageOf = (total: number, size: number): number => Math.max(1, Math.ceil(total / size));
/** Of a table's row with its line; cards are higher. */
const rowHeight = 49;
const skeletonRows = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];

/** A list of the API as a screen: filters, table, paging, actions. Its state is its address. */
export function ListScreen<L extends AnyList>({
  list,
  search,
  above,
}: {
  list: ListDeclaration<L>;
  /** Parsed by the screen's route. */
  search: ListSearch<L>;
  /** Between the heading and the filters: the tabs of a family of screens. */
  above?: ReactNode;
}): ReactNode {
  type Item = ItemOf<L>;
  const { t } = useTranslation();
  const user = useOwnUser();
  const configuration = useServerConfiguration();
  const can = useCan();
  const navigate = useNavigate();
  const router = useRouter();
  const current = useLocation({ select: (location) => location.pathname });
  // Its own: while another screen or the sign-in page is being opened, the location is already that one's.
  const [pathname] = useState(current);
  useEffect(() => rememberSearch(pathname, search), [pathname, search]);
  const queries = useQueryClient();
  const delayed = useDelayedActions();
  const [pending, setPending] = useState<ReadonlySet<number>>(new Set());
  const selection = useSelection<Item>(list.rowId);
  const [adding, setAdding] = useState(false);
  /** Here, not in the row, which may leave the list before the dialog has shown what it did. */
  const [asking, setAsking] = useState<{ Dialog: RowDialog<Item>; item: Item }>();
  const [announcement, setAnnouncement] = useState("");
  const cramped = useMedia(crampedTable);
  const columns = useMemo(
    () =>
      shownOf<Column<Item>>(list.columns).filter(
        ([, { role, wideOnly }]) => (!role || hasRole(user.role, role)) && !(wideOnly && cramped),
      ),
    [list, user.role, cramped],
  );
  const cells = useMemo(() => columns.map(([, column]) => column), [columns]);
  // The same objects until they change, so that filters and pager are not rendered with each step of the rows.
  const fields = useMemo(() => Object.fromEntries(shownOf<FilterField>(list.filters)), [list]);
  const defaults = useMemo(() => {
    const given = typeof list.defaultFilters === "function" ? list.defaultFilters(user) : list.defaultFilters;
    const [field, direction] = list.defaultSort;
    return { filters: withoutUndefined(given ?? {}), sort: { field, direction } };
  }, [list, user]);
  const address = useMemo(() => readAddress(list.contract, search, defaults), [list, search, defaults]);
  const ownSize = user.userSettings?.pageSize ?? 10;
  const sizes = useMemo(() => pageSizes(ownSize), [ownSize]);
  const size = sizes.find((one) => one === address.size) ?? ownSize;
  const go = (change: Partial<ListAddress>, replace = false) =>
    navigate({
      href: pathname + router.options.stringifySearch(writeAddress({ ...address, ...change }, defaults)),
      replace,
      resetScroll: false,
    });

  useEffect(() => {
    if (address.size === undefined || address.size === size) return;
    noteIgnored(["size"]);
    void go({ size: undefined }, true);
  });

  const asked = { ...address, filters: { ...list.implied?.(address.filters), ...address.filters } };
  const furtherSort: Readonly<Record<string, string | undefined>> | undefined = list.furtherSort;
  const query = requestQuery(asked, size, furtherSort?.[address.sort.field]);
  const question = query.toString();
  const {
    data: answer,
    isPlaceholderData,
    isFetching,
    error,
    refetch,
  } = useQuery({
    queryKey: ["list", list.contract.path, question],
    queryFn: ({ signal }) => api.list(list.contract, query, signal),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  const { sort } = address;
  useEffect(() => {
    const isDefault = sort.field === defaults.sort.field && sort.direction === defaults.sort.direction;
    if (isDefault || !refusesOrder(error)) return;
    const [, column] = shownOf<Column<Item>>(list.columns).find(([name]) => name === sort.field) ?? [];
    toast.warning(t("list.cannotSort", { column: column ? t(column.label) : sort.field }), { id: "cannot-sort" });
    void go({ sort: defaults.sort, page: 1 }, true);
  });
  // Rows are rendered in slices, so that slow devices stay responsive.
  const data = useDeferredValue(answer);
  const [answered, setAnswered] = useState(question);
  if (!isPlaceholderData && answered !== question) setAnswered(question);
  const shownQuestion = useDeferredValue(answered);
  const isPending = !data && !error;
  const busy = isFetching || data !== answer;
  const reload = useStableCallback(() => void queries.invalidateQueries({ queryKey: ["list"] }));

  const total = data?.page.totalElements ?? 0;
  const lastPage = lastPageOf(total, size);
  useEffect(() => {
    if (!answer || isPlaceholderData) return;
    // The last row of a page may be gone; an empty page beyond the end is useless.
    const last = lastPageOf(answer.page.totalElements, size);
    if (address.page > last) void go({ page: last }, true);
  });

  const openRows = new Set(address.open?.split(","));
  const toggleRow = useStableCallback((id: number) => {
    // From the address, which a click just before may have changed already.
    const before = new URLSearchParams(router.latestLocation.searchStr).get("open")?.split(",") ?? [];
    const others = list.severalOpen ? before.filter((other) => other !== String(id)) : [];
    const open = before.includes(String(id)) ? others : withOpenRow(others, String(id));
    setAnnouncement(t(before.includes(String(id)) ? "list.closed" : "list.opened"));
    void go({ open: open.length > 0 ? open.join(",") : undefined }, true);
  });
  const context = useMemo<ListContext>(
    () => ({ t, user, configuration, go: navigate, toggleRow }),
    [t, user, configuration, navigate, toggleRow],
  );
  const onPending = useStableCallback((id: number, on: boolean) => setPending((before) => withMember(before, id, on)));
  const onDialog = useStableCallback((item: Item, Dialog: RowDialog<Item>) => setAsking({ Dialog, item }));
  const turnTo = useStableCallback((page: number) => void go({ page, open: undefined }));
  const frame = useRowKeys((by) => {
    const page = address.page + by;
    if (page >= 1 && page <= lastPage) turnTo(page);
  });
  useCalmScroll(frame);
  const found = data?.content ?? [];
  const items = found.filter((item) => !list.hides?.(item, address.filters, context));
  const rows = useRowsInSteps(items.length, shownQuestion);
  const approximate = items.length < found.length;
  const results = t(approximate ? "list.about" : "list.results", { count: total, formatted: formatNumber(total) });
  const filtered = differsFromDefault(address.filters, defaults);
  const trash = address.filters.deleted === "true";
  /** Defaults such as "published" would hide most deleted records. */
  const everything = Object.fromEntries(Object.keys(defaults.filters).map((name) => [name, "any"]));
  const applyFilters = useStableCallback((filters: Record<string, string>) => {
    setAnnouncement(t("filter.applied"));
    void go({ filters, page: 1, open: undefined }, true);
  });
  const sortBy = useStableCallback(
    (field: string) => void go({ sort: nextSort(address.sort, field, defaults.sort), page: 1 }),
  );
  const resize = useStableCallback((next: number) => void go({ size: next, page: 1 }));
  const selectable = (list.bulk?.length ?? 0) > 0 && address.filters.deleted !== "true";
  const allSelected = items.length > 0 && items.every((item) => selection.items.has(list.rowId(item)));
  const heading = t(list.heading);
  const { add } = list;
  const addBlocked = add && firstReason(add.blockedBy, undefined, context);
  const AddDialog = add?.dialog;
  return (
    <div className={pageStyles.listScreen} data-testid={`screen-${list.name}`}>
      <div className={pageStyles.head}>
        <h1>{heading}</h1>
        <span className={textStyles.muted}>{data && formatNumber(total)}</span>
        <span className={pageStyles.spring} />
        {"deleted" in fields && user.role === "admin" && (
          <IconButton
            icon={IconTrash}
            label={trash ? t("list.hideDeleted") : t("list.showDeleted")}
            testId="trash"
            onPress={() => applyFilters(trash ? { ...defaults.filters } : { ...everything, deleted: "true" })}
          />
        )}
        {add && can(add.ability) && (
          <IconButton
            icon={IconPlus}
            label={add.label(context)}
            blocked={addBlocked}
            testId="add"
            onPress={() => setAdding(true)}
          />
        )}
        <IconButton icon={IconRefresh} label={t("action.refresh")} testId="refresh" onPress={() => void refetch()} />
      </div>

      {above}
      {Object.keys(fields).length > 0 && (
        <FilterBar
          fields={fields}
          values={address.filters}
          defaults={defaults.filters}
          role={user.role}
          onChange={applyFilters}
        />
      )}
      <div className={visibilityStyles.hidden} aria-live="polite">
        {announcement}
      </div>

      <Suspense fallback={<div className={bulkBarStyles.strip} />}>
        {selection.items.size === 0 ? (
          <div className={bulkBarStyles.strip} data-testid="bulk-menu">
            <span role="status">
              {data && !busy && <span>{results}</span>}
              {data && !busy && lastPage > 1 && (
                <span className={visibilityStyles.hidden}>, {t("list.page", { n: address.page })}</span>
              )}
            </span>
          </div>
        ) : (
          <BulkBar
            list={list}
            context={context}
            selection={selection}
            total={total}
            allSelected={allSelected}
            findAll={() => everyItem(list.contract, requestQuery(asked, largestPageSize))}
            onChanged={reload}
            onAnnounce={setAnnouncement}
          />
        )}
      </Suspense>

      <div className={tableStyles.frame} ref={frame}>
        <div className={tableStyles.progress} data-on={(busy && !isPending) || undefined} />
        <table
          className={tableStyles.table}
          aria-busy={busy || rows < items.length}
          data-selectable={selectable || undefined}
          data-testid={`table-${list.name}`}
        >
          <caption>{heading}</caption>
          <thead>
            <tr>
              {selectable && (
                <th style={{ width: 40 }}>
                  <Checkbox
                    aria-label={t("list.selectAll")}
                    label={t("list.selectAll")}
                    labelIsNarrow
                    blocked={items.length === 0 ? t("list.empty") : undefined}
                    checked={allSelected}
                    indeterminate={!allSelected && items.some((item) => selection.items.has(list.rowId(item)))}
                    onChange={(checked) => selection.select(items, checked)}
                    data-testid="select-all"
                  />
                </th>
              )}
              {columns.map(([name, { label, width, align }]) => (
                <HeaderCell
                  key={name}
                  label={t(label)}
                  width={width}
                  className={classesOf({ align })}
                  field={name}
                  direction={name === address.sort.field ? address.sort.direction : undefined}
                  onSort={sortBy}
                />
              ))}
              <th style={{ width: Math.max(actionsWidth, list.actions.length * 30 + 20), textAlign: "right" }}>
                {t("column.actions")}
              </th>
            </tr>
          </thead>
          <tbody aria-busy={isFetching}>
            {isPending &&
              skeletonRows.map((row) => (
                <tr key={row} aria-hidden>
                  <td colSpan={columns.length + (selectable ? 2 : 1)}>
                    <span className={loadingStyles.skeleton} style={{ width: "60%" }} />
                  </td>
                </tr>
              ))}
            {items.slice(0, rows).map((item) => {
              const id = list.rowId(item);
              return (
                <ListRow
                  key={id}
                  list={list}
                  item={item}
                  columns={cells}
                  context={context}
                  onSelect={selectable ? selection.select : undefined}
                  selected={selectable && selection.items.has(id)}
                  skipped={selection.skipped.get(id)}
                  open={openRows.has(String(id))}
                  delayed={delayed.get(`${list.name}/${id}`)}
                  pending={pending.has(id)}
                  onPending={onPending}
                  onChanged={reload}
                  onDialog={onDialog}
                />
              );
            })}
          </tbody>
        </table>
        {rows < items.length && <div style={{ height: (items.length - rows) * rowHeight }} />}
        {error && !data && <FailedLoad {...loadFailure(error, t)} onRetry={() => void refetch()} />}
        {data && items.length === 0 && (
          <Suspense>
            <EmptyList
              list={list}
              context={context}
              filtered={filtered}
              onReset={() => applyFilters({ ...defaults.filters })}
              onAdd={() => setAdding(true)}
            />
          </Suspense>
        )}
      </div>

      <Pager
        page={address.page}
        size={size}
        total={total}
        sizes={sizes}
        hasTimes={list.hasTimes}
        onPage={turnTo}
        onSize={resize}
      />

      {AddDialog && adding && <AddDialog onClose={() => setAdding(false)} />}
      {asking && (
        // A dialog closes when its call is done; by then the user may have opened another one.
        <asking.Dialog item={asking.item} onClose={() => setAsking((now) => (now === asking ? undefined : now))} />
      )}
    </div>
  );
}

function withMember(set: ReadonlySet<number>, id: number, on: boolean): ReadonlySet<number> {
  const next = new Set(set);
  if (on) next.add(id);
  else next.delete(id);
  return next;
}

const withoutUndefined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
