/** English texts of calendars and times, loaded with the first of them. */
export const calendarTexts = {
  time: {
    zone: "Days and times in {{zone}}",
  },
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
