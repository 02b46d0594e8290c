import "@mantine/dates/styles.layer.css";
import "dayjs/locale/pl";
import { DateInput, DatesProvider } from "@mantine/dates";
import { useTranslation } from "react-i18next";
import type { ControlProps } from "./filter-control.tsx";

interface DateFieldProps extends ControlProps {
  /** The other end of the range as `YYYY-MM-DD`; empty is open. */
  earliest: string;
  latest: string;
}

/** A day, typed as `YYYY-MM-DD` or chosen in a calendar. Days beyond the other end of the range cannot be chosen. */
export function DateField({ label, testId, value, earliest, latest, onChange }: DateFieldProps) {
  const { t, i18n } = useTranslation();
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: 1 }}>
      <DateInput
        className="ph-filter-date"
        aria-label={label}
        placeholder="YYYY-MM-DD"
        leftSection={<span className="ph-muted">{label}</span>}
        leftSectionWidth={44}
        valueFormat="YYYY-MM-DD"
        value={value === "" ? null : value}
        {...(earliest === "" ? {} : { minDate: earliest })}
        {...(latest === "" ? {} : { maxDate: latest })}
        onChange={(day) => onChange(day ?? "")}
        clearable
        clearButtonProps={{ "aria-label": `${t("filter.clear")}: ${label}` }}
        popoverProps={{ withinPortal: false }}
        ariaLabels={{
          nextMonth: t("calendar.nextMonth"),
          previousMonth: t("calendar.previousMonth"),
          nextYear: t("calendar.nextYear"),
          previousYear: t("calendar.previousYear"),
          nextDecade: t("calendar.nextDecade"),
          previousDecade: t("calendar.previousDecade"),
        }}
        data-testid={testId}
      />
    </DatesProvider>
  );
}
