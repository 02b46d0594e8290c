import { hasRole, type RoleName } from "@packhouse/contract/roles";
import { IconFilter, IconFilterOff } from "@tabler/icons-react";
import { memo, useState } from "react";
import { useTranslation } from "react-i18next";
import pillStyles from "../../ui/styles/pill.module.css";
import visibilityStyles from "../../ui/styles/visibility.module.css";
import type { FilterField } from "../define-list.ts";
import { differs } from "../list-address.ts";
import { FilterControl } from "./filter-control.tsx";
import filtersStyles from "./filters.module.css";

interface FilterBarProps {
  fields: Readonly<Record<string, FilterField>>;
  values: Record<string, string>;
  defaults: Record<string, string>;
  role: RoleName;
  onChange(values: Record<string, string>): void;
}

/** The fields in one row; Reset at the far end, with its space reserved. */
export const FilterBar = memo(function FilterBar({ fields, values, defaults, role, onChange }: FilterBarProps) {
  const { t } = useTranslation();
  const [folded, setFolded] = useState(true);
  const shown = Object.entries(fields).flatMap(([name, field]) => {
    const offered = offeredTo(role, field);
    return offered ? [[name, offered] as const] : [];
  });
  const changed = Object.keys(fields).filter((name) => differs(values[name], defaults[name]));
  const folding = changed.filter((name) => fields[name]?.kind !== "search").length;
  return (
    <div className={filtersStyles.filters}>
      <div className={filtersStyles.fields} data-folded={folded || undefined}>
        {shown.map(([name, field]) => (
          <FilterControl
            key={name}
            name={name}
            field={field}
            value={values[name] ?? ""}
            standard={defaults[name] ?? ""}
            dates={[values.fromDate ?? "", values.toDate ?? ""]}
            onChange={(value) => onChange({ ...values, [name]: value })}
          />
        ))}
        <button
          type="button"
          className={`${pillStyles.pill} ${visibilityStyles.narrowOnly} ${filtersStyles.toggle}`}
          data-testid="filters-toggle"
          data-applied={folding > 0 || undefined}
          aria-expanded={!folded}
          onClick={() => setFolded(!folded)}
        >
          <IconFilter size={16} aria-hidden /> {t("filter.filters")}
          {folding > 0 && <span className={filtersStyles.value}>{folding}</span>}
        </button>
      </div>
      <button
        type="button"
        className={`${pillStyles.pill} ${filtersStyles.reset}`}
        data-idle={changed.length === 0 || undefined}
        data-testid="filter-reset"
        onClick={() => onChange({ ...defaults })}
      >
        <IconFilterOff size={16} aria-hidden /> {t("filter.reset")}
      </button>
    </div>
  );
});

/** The field for users of this role; undefined if hidden. */
function offeredTo(role: RoleName, field: FilterField): FilterField | undefined {
  if (!field.role || hasRole(role, field.role)) return field;
  return field.kind === "picker" && field.otherwise ? { kind: field.otherwise, label: field.label } : undefined;
}
