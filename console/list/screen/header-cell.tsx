import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { memo } from "react";
import tableStyles from "../../ui/styles/table.module.css";

interface HeaderCellProps {
  label: string;
  width: string | undefined;
  className: string;
  field: string;
  direction: "asc" | "desc" | undefined;
  onSort(field: string): void;
}

/** A column header with a button that sorts by it. */
export const HeaderCell = memo(function HeaderCell(props: HeaderCellProps) {
  const { label, width, className, field, direction, onSort } = props;
  const sorted = direction === "asc" ? "ascending" : direction === "desc" ? "descending" : "none";
  const Mark = direction === "desc" ? IconArrowDown : IconArrowUp;
  return (
    <th scope="col" style={width ? { width } : undefined} className={className} aria-sort={sorted}>
      <button type="button" onClick={() => onSort(field)} data-testid={`sort-${field}`}>
        {label} {direction && <Mark size={14} className={tableStyles.sortMark} aria-hidden />}
      </button>
    </th>
  );
});
