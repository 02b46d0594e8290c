import { Tooltip } from "@mantine/core";
import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { IconAlertTriangle } from "@tabler/icons-react";
import type { KeyboardEvent, MouseEvent, ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { BlockableCheckbox } from "../../ui/forms/blockable-checkbox.tsx";
import tableStyles from "../../ui/styles/table.module.css";
import textStyles from "../../ui/styles/text.module.css";
import type { Column, ListContext, ListDeclaration, RowDialog } from "../define-list.ts";
import { RowActions } from "./row-actions.tsx";
import type { Selection } from "./use-selection.ts";

interface ListRowProps<L extends AnyList> {
  list: ListDeclaration<L>;
  item: ItemOf<L>;
  columns: readonly Column<ItemOf<L>>[];
  context: ListContext;
  /** Undefined: rows of this list cannot be selected now. */
  selection: Selection<ItemOf<L>> | undefined;
  open: boolean;
  /** What is delayed for this row, and whether a call for it is running. */
  delayed: string | undefined;
  pending: boolean;
  onPending(pending: boolean): void;
  onChanged(): void;
  onDialog(dialog: RowDialog<ItemOf<L>>): void;
}

/** One record: its cells, checkbox and actions, and below them the details while the row is open. */
export function ListRow<L extends AnyList>(props: ListRowProps<L>): ReactNode {
  const { list, item, columns, context, selection, open, delayed, pending } = props;
  const { t } = useTranslation();
  const id = list.rowId(item);
  const busy = pending || delayed !== undefined;
  const selected = selection?.items.has(id) ?? false;
  const Detail = list.detail;
  const toggle = () => context.toggleRow(id);
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.target !== event.currentTarget) return;
    if (event.key === "Enter" && Detail) toggle();
    else if (event.key === " " && selection && !busy) selection.select([item], !selected);
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
        {selection && (
          <td className={tableStyles.selectCell}>
            <BlockableCheckbox
              aria-label={t("list.select", { item: list.rowLabel(item) })}
              checked={selected}
              blocked={busy ? t("reason.pending") : undefined}
              onChange={(checked) => selection.select([item], checked)}
              data-testid={`select-${id}`}
            />
            <Skipped id={id} reason={selection.skipped.get(id)} />
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
            onPending={props.onPending}
            onChanged={props.onChanged}
            onDialog={props.onDialog}
          />
        </td>
      </tr>
      {Detail && open && (
        <tr className={tableStyles.detail}>
          <td colSpan={columns.length + (selection ? 2 : 1)}>
            <Detail item={item} />
          </td>
        </tr>
      )}
    </>
  );
}

/** Reports that a bulk action skipped this row, and why. */
function Skipped({ id, reason }: { id: number; reason: string | undefined }) {
  if (reason === undefined) return null;
  return (
    <Tooltip label={reason}>
      <IconAlertTriangle
        size={16}
        className={textStyles.warn}
        role="img"
        aria-label={reason}
        data-testid={`skipped-${id}`}
      />
    </Tooltip>
  );
}

/** Classes of a column, for its header and cells. */
export const classesOf = ({ align, bare }: { align?: "end" | undefined; bare?: boolean }): string =>
  [align === "end" ? tableStyles.number : "", bare ? tableStyles.bare : ""].filter(Boolean).join(" ");
