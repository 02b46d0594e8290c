import "./day-input-texts.ts";
import "@mantine/dates/styles.layer.css";
import "./day-input.css";
import "dayjs/locale/pl";
import { DateInput, type DateInputProps, DatesProvider } from "@mantine/dates";
import { useState } from "react";
import { useTranslation } from "react-i18next";

interface DayInputProps extends Omit<DateInputProps, "value" | "minDate" | "maxDate" | "onChange"> {
  /** As `YYYY-MM-DD`, like both bounds; empty means none. */
  value: string;
  earliest: string;
  latest: string;
  testId: string;
  onChange(day: string): void;
}

/** A date, typed as `YYYY-MM-DD` or selected in a calendar. Dates outside the bounds cannot be selected. */
export function DayInput({ value, earliest, latest, testId, onChange, popoverProps, ...others }: DayInputProps) {
  const { t, i18n } = useTranslation();
  const [open, setOpen] = useState(false);
  return (
    <DatesProvider settings={{ locale: i18n.language, firstDayOfWeek: 1 }}>
      <DateInput
        placeholder="YYYY-MM-DD"
        valueFormat="YYYY-MM-DD"
        value={value === "" ? null : value}
        {...(earliest === "" ? {} : { minDate: earliest })}
        {...(latest === "" ? {} : { maxDate: latest })}
        onChange={(day) => onChange(day ?? "")}
        ariaLabels={{
          nextMonth: t("calendar.nextMonth"),
          previousMonth: t("calendar.previousMonth"),
          nextYear: t("calendar.nextYear"),
          previousYear: t("calendar.previousYear"),
          nextDecade: t("calendar.nextDecade"),
          previousDecade: t("calendar.previousDecade"),
        }}
        popoverProps={{ ...popoverProps, onOpen: () => setOpen(true), onClose: () => setOpen(false) }}
        // Escape closes the calendar, not the dialog around it.
        data-mantine-stop-propagation={open}
        data-testid={testId}
        {...others}
      />
    </DatesProvider>
  );
}
