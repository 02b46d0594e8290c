import { Checkbox, Tooltip } from "@mantine/core";
import { type AnyList, type ItemOf, largestPageSize } from "@packhouse/contract/list-contract";
import { hasRole } from "@packhouse/contract/roles";
import {
  IconAlertTriangle,
  IconArrowDown,
  IconArrowUp,
  IconPlus,
  IconRefresh,
  IconTrash,
  IconX,
} from "@tabler/icons-react";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate, useSearch } from "@tanstack/react-router";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { reportFailure } from "../api/report-failure.tsx";
import { formatNumber } from "../language/i18n.ts";
import { useCan, useOwnUser, useServerConfiguration } from "../session/use-session.ts";
import { FailedLoad } from "../ui/failed-load.tsx";
import { useHeldBack } from "../ui/held-back.ts";
import { IconButton } from "../ui/icon-button.tsx";
import type { BulkDialog as BulkDialogOf } from "./bulk-dialog.tsx";
import { type BulkAction, firstReason, type ListContext, type ListDeclaration } from "./define-list.ts";
import { FilterBar } from "./filter-bar.tsx";
import {
  differsFromDefault,
  type ListAddress,
  type ListSearch,
  nextSort,
  readAddress,
  requestQuery,
  writeAddress,
} from "./list-address.ts";
import { Pager } from "./pager.tsx";
import { RowActions } from "./row-actions.tsx";
import { useRowKeys } from "./use-row-keys.ts";

// `lazy` forgets the type parameter.
const BulkDialog = lazy(() =>
  import("./bulk-dialog.tsx").then((it) => ({ default: it.BulkDialog })),
) as unknown as typeof BulkDialogOf;

/** Room for "deleting … Undo" in every language. */
const actionsWidth = 156;
const skeletonRows = [1, 2, 3, 4, 5, 6, 7, 8];

/** A list of the API as a screen: filters, table, paging, actions. Its state is its address. */
export function ListScreen<L extends AnyList>({
  list,
  above,
}: {
  list: ListDeclaration<L>;
  /** Between the heading and the filters: the tabs of a family of screens. */
  above?: ReactNode;
}): ReactNode {
  type Item = ItemOf<L>;
  const { t } = useTranslation();
  const user = useOwnUser();
  const configuration = useServerConfiguration();
  const can = useCan();
  const navigate = useNavigate();
  const search = useSearch({ strict: false }) as ListSearch;
  const queries = useQueryClient();
  const held = useHeldBack();
  const [pending, setPending] = useState<ReadonlySet<number>>(new Set());
  const [selection, setSelection] = useState<ReadonlyMap<number, Item>>(new Map());
  const [bulk, setBulk] = useState<BulkAction<Item>>();
  const [skipped, setSkipped] = useState<ReadonlyMap<number, string>>(new Map());
  const [selectingAll, setSelectingAll] = useState(false);
  const [adding, setAdding] = useState(false);
  const [announcement, setAnnouncement] = useState("");
  const columns = list.columns.filter(({ role }) => !role || hasRole(user.role, role));
  const given = typeof list.defaultFilters === "function" ? list.defaultFilters(user) : list.defaultFilters;
  const defaults = {
    filters: withoutUndefined(given ?? {}),
    sort: { field: list.defaultSort[0], direction: list.defaultSort[1] },
  };
  const address = readAddress(list.contract, search, defaults);
  const ownSize = user.userSettings?.pageSize ?? 10;
  const size = address.size ?? ownSize;
  const go = (change: Partial<ListAddress>, replace = false) =>
    navigate({
      to: ".",
      search: writeAddress({ ...address, ...change }, defaults) as never,
      replace,
      resetScroll: false,
    });

  const asked = { ...address, filters: { ...list.implied?.(address.filters), ...address.filters } };
  const query = requestQuery(asked, size, list.furtherSort?.[address.sort.field as keyof typeof list.furtherSort]);
  const { data, isPending, isFetching, error, refetch } = useQuery({
    queryKey: ["list", list.contract.path, query],
    queryFn: ({ signal }) => api.list(list.contract, query, signal),
    placeholderData: keepPreviousData,
    meta: { shownInPlace: true },
  });
  const reload = () => queries.invalidateQueries({ queryKey: ["list"] });

  const total = data?.page.totalElements ?? 0;
  const lastPage = Math.max(1, Math.ceil(total / size));
  useEffect(() => {
    // The last row of a page may have gone; an empty page beyond the end helps nobody.
    if (data && address.page > lastPage) void go({ page: lastPage }, true);
  });

  const toggleRow = (id: number) => void go({ open: address.open === String(id) ? undefined : String(id) }, true);
  const context: ListContext = {
    t,
    user,
    configuration,
    go: (to) => navigate({ to: to as never, href: to }),
    toggleRow,
  };
  const frame = useRowKeys((by) => {
    const page = address.page + by;
    if (page >= 1 && page <= lastPage) void go({ page, open: undefined });
  });
  const found = data?.content ?? [];
  const items = found.filter((item) => !list.hides?.(item, address.filters, context));
  const approximate = items.length < found.length;
  const results = t(approximate ? "list.about" : "list.results", { count: total, formatted: formatNumber(total) });
  const filtered = differsFromDefault(address.filters, defaults);
  const trash = address.filters.deleted === "true";
  /** Defaults such as "published" would hide most of what was deleted. */
  const everything = Object.fromEntries(Object.keys(defaults.filters).map((name) => [name, "any"]));
  const applyFilters = (filters: Record<string, string>) => {
    setAnnouncement(t("filter.applied"));
    void go({ filters, page: 1, open: undefined }, true);
  };
  const selectable = (list.bulk?.length ?? 0) > 0 && address.filters.deleted !== "true";
  const allSelected = items.length > 0 && items.every((item) => selection.has(list.rowId(item)));
  const select = (chosen: readonly Item[], on: boolean) => {
    const next = new Map(selection);
    for (const item of chosen) {
      if (on) next.set(list.rowId(item), item);
      else next.delete(list.rowId(item));
    }
    setSelection(next);
    setSkipped(new Map());
  };
  const selectEverything = async () => {
    setSelectingAll(true);
    try {
      select(await everyItem(list.contract, requestQuery({ ...asked, page: 1 }, largestPageSize)), true);
    } catch (error) {
      reportFailure(error);
    } finally {
      setSelectingAll(false);
    }
  };
  const columnCount = columns.length + 1 + (selectable ? 1 : 0);
  const heading = t(list.heading as never) as string;
  const { add } = list;
  const addBlocked = add && firstReason(add.blockedBy, undefined, context);
  const AddDialog = add?.dialog;
  const wayOut = list.whenEmpty ? (
    <>
      <span>{t(list.whenEmpty.hint as never)}</span>
      {can(list.whenEmpty.ability) && (
        <Link to={list.whenEmpty.address as never} className="ph-button">
          {t(list.whenEmpty.label as never)}
        </Link>
      )}
    </>
  ) : add && can(add.ability) && !addBlocked ? (
    <button type="button" className="ph-button" onClick={() => setAdding(true)}>
      {add.label(context)}
    </button>
  ) : (
    <span>{t("list.emptyAsk")}</span>
  );
  const Detail = list.detail;

  return (
    <div className="ph-list-screen" data-testid={`screen-${list.name}`}>
      <div className="ph-head">
        <h1>{heading}</h1>
        <span className="ph-muted">{data && formatNumber(total)}</span>
        <span className="ph-spring" />
        {"deleted" in list.filters && user.role === "admin" && (
          <IconButton
            icon={IconTrash}
            label={trash ? t("list.leaveTrash") : t("list.trash")}
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
      <FilterBar
        fields={list.filters}
        values={address.filters}
        defaults={defaults.filters}
        role={user.role}
        onChange={applyFilters}
      />
      <div className="ph-visually-hidden" aria-live="polite">
        {announcement} {data && !isFetching && results}
      </div>

      <div className="ph-strip" data-selection={selection.size > 0 || undefined} data-testid="bulk-menu">
        {selection.size === 0 && data && <span>{results}</span>}
        {selection.size > 0 && (
          <>
            <strong>{t("list.selected", { count: selection.size, formatted: formatNumber(selection.size) })}</strong>
            {list.bulk?.map((action) => {
              const count = [...selection.values()].filter(
                (item) => firstReason(action.blockedBy, item, context) === undefined,
              ).length;
              return (
                <button
                  key={action.name}
                  type="button"
                  className="ph-pill ph-bulk-button"
                  data-danger={action.danger || undefined}
                  data-testid={`bulk-${action.name}`}
                  onClick={() => setBulk(action)}
                >
                  <action.icon size={16} aria-hidden /> {action.verb(t, count)}
                </button>
              );
            })}
            {allSelected && selection.size < total && (
              <button
                type="button"
                className="ph-link-button"
                disabled={selectingAll}
                onClick={() => void selectEverything()}
                data-testid="select-everything"
              >
                {selectingAll
                  ? t("list.loading")
                  : t("list.selectEverything", { count: total, formatted: formatNumber(total) })}
              </button>
            )}
            <span style={{ flex: 1 }} />
            <IconButton icon={IconX} label={t("filter.clear")} onPress={() => select([...selection.values()], false)} />
          </>
        )}
      </div>

      <div className="ph-table-frame" ref={frame}>
        <div className="ph-progress" data-on={(isFetching && !isPending) || undefined} />
        <table className="ph-table" data-selectable={selectable || undefined} data-testid={`table-${list.name}`}>
          <caption>{heading}</caption>
          <thead>
            <tr>
              {selectable && (
                <th style={{ width: 40 }}>
                  <Checkbox
                    aria-label={t("list.selectAll")}
                    checked={allSelected}
                    indeterminate={!allSelected && items.some((item) => selection.has(list.rowId(item)))}
                    onChange={(event) => select(items, event.currentTarget.checked)}
                    data-testid="select-all"
                  />
                </th>
              )}
              {columns.map((column) => (
                <HeaderCell
                  key={column.label}
                  label={t(column.label as never)}
                  width={column.width}
                  className={[column.align === "end" ? "ph-number" : "", column.wideOnly ? "ph-wide-only" : ""]
                    .join(" ")
                    .trim()}
                  field={column.sort}
                  direction={column.sort === address.sort.field ? address.sort.direction : undefined}
                  onSort={(field) => void go({ sort: nextSort(address.sort, field, defaults.sort), page: 1 })}
                />
              ))}
              <th style={{ width: Math.max(actionsWidth, list.actions.length * 30 + 20), textAlign: "right" }}>
                {t("column.actions")}
              </th>
            </tr>
          </thead>
          <tbody aria-busy={isFetching}>
            {isPending && skeletonRows.map((row) => <SkeletonRow key={row} columns={columnCount} />)}
            {items.map((item) => {
              const id = list.rowId(item);
              const rowKey = `${list.name}/${id}`;
              const label = list.rowLabel(item);
              const open = address.open === String(id);
              const toggle = () => toggleRow(id);
              const busy = pending.has(id) || held.has(rowKey);
              return [
                <tr
                  key={id}
                  data-row
                  data-testid={`row-${id}`}
                  data-selected={selection.has(id)}
                  data-deleted={list.isDeleted?.(item) ?? false}
                  data-pending={busy}
                  data-open={open}
                  data-expandable={Detail ? true : undefined}
                  tabIndex={0}
                  onKeyDown={(event) => {
                    if (event.target !== event.currentTarget) return;
                    if (event.key === "Enter" && Detail) toggle();
                    else if (event.key === " " && selectable && !busy) select([item], !selection.has(id));
                    else return;
                    event.preventDefault();
                  }}
                  onClick={
                    Detail
                      ? (event) =>
                          !(event.target instanceof Element && event.target.closest("button, a, input, label")) &&
                          toggle()
                      : undefined
                  }
                >
                  {selectable && (
                    <td className="ph-select-cell">
                      <Checkbox
                        aria-label={t("list.select", { item: label })}
                        checked={selection.has(id)}
                        disabled={busy}
                        onChange={(event) => select([item], event.currentTarget.checked)}
                        data-testid={`select-${id}`}
                      />
                      {skipped.has(id) && (
                        <Tooltip label={skipped.get(id)}>
                          <IconAlertTriangle
                            size={16}
                            className="ph-warn"
                            role="img"
                            aria-label={skipped.get(id)}
                            data-testid={`skipped-${id}`}
                          />
                        </Tooltip>
                      )}
                    </td>
                  )}
                  {columns.map((column, index) => {
                    const content = column.cell(item, context);
                    const className = [
                      column.align === "end" ? "ph-number" : "",
                      column.wideOnly ? "ph-wide-only" : "",
                      column.bare ? "ph-bare" : "",
                    ]
                      .join(" ")
                      .trim();
                    return index === 0 ? (
                      <th key={column.label} scope="row">
                        {content}
                      </th>
                    ) : (
                      <td key={column.label} className={className} data-label={t(column.label as never)}>
                        {content}
                      </td>
                    );
                  })}
                  <td className="ph-bare">
                    <RowActions
                      item={item}
                      id={id}
                      rowKey={rowKey}
                      label={label}
                      actions={list.actions}
                      context={context}
                      held={held.get(rowKey)}
                      pending={pending.has(id)}
                      onPending={(on) => setPending((before) => withMember(before, id, on))}
                      onChanged={reload}
                    />
                  </td>
                </tr>,
                Detail && open && (
                  <tr key={`${id}-detail`} className="ph-detail">
                    <td colSpan={columnCount}>
                      <Detail item={item} />
                    </td>
                  </tr>
                ),
              ];
            })}
          </tbody>
        </table>
        {error && !data && (
          <FailedLoad
            traceId={error instanceof ApiFailure ? error.crash?.traceId : undefined}
            onRetry={() => void refetch()}
          />
        )}
        {data && items.length === 0 && (
          <div className="ph-empty" data-testid="empty">
            <EmptyHouse />
            <strong>{filtered ? t("list.emptyFiltered") : t("list.empty")}</strong>
            {filtered ? (
              <button type="button" className="ph-link-button" onClick={() => applyFilters({ ...defaults.filters })}>
                {t("list.resetFilter")}
              </button>
            ) : (
              wayOut
            )}
          </div>
        )}
      </div>

      <Pager
        page={address.page}
        size={size}
        total={total}
        ownSize={ownSize}
        onPage={(page) => void go({ page, open: undefined })}
        onSize={(next) => void go({ size: next, page: 1 })}
      />

      {bulk && (
        <Suspense>
          <BulkDialog
            action={bulk}
            items={[...selection.values()]}
            context={context}
            rowLabel={list.rowLabel}
            onClose={() => setBulk(undefined)}
            onChanged={() => void reload()}
            onDone={(left) => {
              const untouched = bulk.untouched?.(t) ?? t("bulk.untouched");
              setBulk(undefined);
              setSelection(new Map());
              setSkipped(new Map([...left].map(([item, reason]) => [list.rowId(item), `${untouched} (${reason})`])));
              void reload();
            }}
          />
        </Suspense>
      )}
      {AddDialog && adding && <AddDialog onClose={() => setAdding(false)} />}
    </div>
  );
}

interface HeaderCellProps {
  label: string;
  width: string | undefined;
  className: string;
  field: string | undefined;
  direction: "asc" | "desc" | undefined;
  onSort(field: string): void;
}

function HeaderCell({ label, width, className, field, direction, onSort }: HeaderCellProps) {
  const sorted = direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none";
  const Mark = direction === "desc" ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" style={width ? { width } : undefined} className={className} aria-sort={field ? sorted : undefined}>
      {field ? (
        <button type="button" onClick={() => onSort(field)} data-testid={`sort-${field}`}>
          {label} {direction && <Mark size={14} className="ph-sort-mark" aria-hidden />}
        </button>
      ) : (
        label
      )}
    </th>
  );
}

/** Everything that a filter finds, page by page. */
async function everyItem<L extends AnyList>(list: L, firstPage: string): Promise<ItemOf<L>[]> {
  const found: ItemOf<L>[] = [];
  for (let page = 0; ; page += 1) {
    const answer = await api.list(list, firstPage.replace("page=0", `page=${page}`));
    found.push(...answer.content);
    if (page + 1 >= answer.page.totalPages) return found;
  }
}

/** The house with its goods still to come. */
function EmptyHouse() {
  return (
    <svg width="56" height="56" viewBox="0 0 32 32" fill="none" stroke="currentColor" aria-hidden="true">
      <path d="M3 13.6 16 3.4l13 10.2V28.5H3z" strokeWidth="1.4" strokeLinejoin="round" />
      <circle cx="10.9" cy="21.6" r="4" strokeWidth="1" strokeDasharray="1.6 1.6" />
      <rect x="17.4" y="17.5" width="8" height="8.3" rx="1" strokeWidth="1" strokeDasharray="1.6 1.6" />
    </svg>
  );
}

function SkeletonRow({ columns }: { columns: number }) {
  return (
    <tr aria-hidden>
      <td colSpan={columns}>
        <span className="ph-skeleton" style={{ width: "60%" }} />
      </td>
    </tr>
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
