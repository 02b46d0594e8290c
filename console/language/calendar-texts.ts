/** English texts of the calendar, loaded with it. */
export const calendarTexts = {
  calendar: {
    nextMonth: "Next month",
    previousMonth: "Previous month",
    nextYear: "Next year",
    previousYear: "Previous year",
    nextDecade: "Next ten years",
    previousDecade: "Previous ten years",
  },
};

export type CalendarTexts = typeof calendarTexts;
