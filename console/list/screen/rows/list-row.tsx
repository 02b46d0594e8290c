import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { IconAlertTriangle } from "@tabler/icons-react";
import { type KeyboardEvent, type MouseEvent, memo, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../../../ui/forms/checkbox.tsx";
import { explainedBy } from "../../../ui/hint.tsx";
import tableStyles from "../../../ui/styles/table.module.css";
import textStyles from "../../../ui/styles/text.module.css";
import type { Column, ListContext, ListDeclaration, RowDialog } from "../../define-list.ts";
import { RowActions } from "./row-actions.tsx";
import type { Selection } from "./use-selection.ts";

interface ListRowProps<L extends AnyList> {
  list: ListDeclaration<L>;
  item: ItemOf<L>;
  columns: readonly Column<ItemOf<L>>[];
  context: ListContext;
  /** Undefined: rows of this list cannot be selected now. */
  onSelect: Selection<ItemOf<L>>["select"] | undefined;
  selected: boolean;
  /** Why the last bulk action skipped it, if it did. */
  skipped: string | undefined;
  open: boolean;
  /** What is delayed for this row, and whether a call for it is running. */
  delayed: string | undefined;
  pending: boolean;
  onPending(id: number, pending: boolean): void;
  onChanged(): void;
  onDialog(item: ItemOf<L>, dialog: RowDialog<ItemOf<L>>): void;
}

/** One record: its cells, checkbox and actions, and below them the details while the row is open. */
function Row<L extends AnyList>(props: ListRowProps<L>): ReactNode {
  const { list, item, columns, context, onSelect, selected, skipped, open, delayed, pending } = props;
  const { t } = useTranslation();
  const id = list.rowId(item);
  const busy = pending || delayed !== undefined;
  const Detail = list.detail;
  const toggle = () => context.toggleRow(id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter" && Detail) toggle();
    else if (event.key === " " && onSelect && !busy) onSelect([item], !selected);
    else return;
    event.preventDefault();
  };
  const onClick = ({ target, currentTarget }: MouseEvent) => {
    // React also reports clicks in the dialogs of the actions, which are elsewhere in the page.
    if (!(target instanceof Element && currentTarget.contains(target))) return;
    if (!target.closest("button, a, input, label, [data-actions]")) toggle();
  };
  const [first, ...others] = columns;
  return (
    <>
      <tr
        data-row
        data-testid={`row-${id}`}
        data-selected={selected}
        data-deleted={list.isDeleted?.(item) ?? false}
        data-pending={busy}
        data-open={open}
        data-expandable={Detail ? true : undefined}
        tabIndex={0}
        aria-label={list.rowLabel(item)}
        onKeyDown={onKeyDown}
        onClick={Detail ? onClick : undefined}
      >
        {onSelect && (
          <td className={tableStyles.selectCell}>
            <Checkbox
              aria-label={t("list.select", { item: list.rowLabel(item) })}
              checked={selected}
              blocked={busy ? t("reason.pending") : undefined}
              onChange={(checked) => onSelect([item], checked)}
              data-testid={`select-${id}`}
            />
            <Skipped id={id} reason={skipped} />
          </td>
        )}
        <th scope="row">{first?.cell(item, context)}</th>
        {others.map((column) => (
          <td key={column.label} className={classesOf(column)} data-label={t(column.label)}>
            {column.cell(item, context)}
          </td>
        ))}
        <td className={tableStyles.bare} data-actions>
          <RowActions
            item={item}
            id={id}
            rowKey={`${list.name}/${id}`}
            label={list.rowLabel(item)}
            actions={list.actions}
            context={context}
            delayed={delayed}
            pending={pending}
            onPending={(on) => props.onPending(id, on)}
            onChanged={props.onChanged}
            onDialog={(dialog) => props.onDialog(item, dialog)}
          />
        </td>
      </tr>
      {Detail && open && (
        <tr className={tableStyles.detail}>
          <td colSpan={columns.length + (onSelect ? 2 : 1)}>
            <Detail item={item} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Rendered again only when its own record changes, because most changes of a list are around its rows. */
export const ListRow = memo(Row) as typeof Row; // `memo` loses the type parameter

/** Reports that a bulk action skipped this row, and why. */
function Skipped({ id, reason }: { id: number; reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <span
      className={textStyles.warn}
      role="img"
      aria-label={reason}
      data-testid={`skipped-${id}`}
      {...explainedBy(reason)}
    >
      <IconAlertTriangle size={16} aria-hidden />
    </span>
  );
}

/** Classes of a column, for its header and cells. */
export const classesOf = ({ align, bare }: { align?: "end" | undefined; bare?: boolean }): string =>
  [align === "end" ? tableStyles.number : "", bare ? tableStyles.bare : ""].filter(Boolean).join(" ");
