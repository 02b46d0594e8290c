import { useTranslation } from "react-i18next";
import { DayInput } from "../../ui/forms/day-input.tsx";
import type { ControlProps } from "./filter-control.tsx";

interface DateFieldProps extends ControlProps {
  /** The other end of the range as `YYYY-MM-DD`; empty is open. */
  earliest: string;
  latest: string;
}

/** One end of a range of days, as a filter. */
export function DateField({ label, ...others }: DateFieldProps) {
  const { t } = useTranslation();
  return (
    <DayInput
      className="ph-filter-date"
      aria-label={label}
      leftSection={<span className="ph-muted">{label}</span>}
      leftSectionWidth={44}
      clearable
      clearButtonProps={{ "aria-label": `${t("filter.clear")}: ${label}` }}
      popoverProps={{ withinPortal: false }}
      {...others}
    />
  );
}
