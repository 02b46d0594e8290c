import { useTranslation } from "react-i18next";
import { clearButton } from "../../ui/forms/clear-button.ts";
import { DayInput } from "../../ui/forms/day-input.tsx";
import textStyles from "../../ui/styles/text.module.css";
import type { ControlProps } from "./filter-control.tsx";
import filtersStyles from "./filters.module.css";

interface DateFieldProps extends ControlProps {
  /** The other end of the range as `YYYY-MM-DD`; empty means open. */
  earliest: string;
  latest: string;
}

/** One end of a range of days, as a filter. */
export function DateField({ label, ...others }: DateFieldProps) {
  const { t } = useTranslation();
  return (
    <DayInput
      className={filtersStyles.date}
      aria-label={label}
      leftSection={<span className={textStyles.muted}>{label}</span>}
      leftSectionWidth={44}
      clearable
      clearButtonProps={clearButton(`${t("filter.clear")}: ${label}`)}
      popoverProps={{ withinPortal: false }}
      {...others}
    />
  );
}
