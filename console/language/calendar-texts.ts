/** English texts of calendars and times, loaded with the first of them. */
export const calendarTexts = {
  time: {
    zone: "Days and times in {{zone}}",
  },
  relative: {
    ago: "{{duration}} ago",
    in: "in {{duration}}",
    duration: {
      year_one: "{{count}} year",
      year_other: "{{count}} years",
      month_one: "{{count}} month",
      month_other: "{{count}} months",
      week_one: "{{count}} week",
      week_other: "{{count}} weeks",
      day_one: "{{count}} day",
      day_other: "{{count}} days",
      hour_one: "{{count}} hour",
      hour_other: "{{count}} hours",
      minute_one: "{{count}} minute",
      minute_other: "{{count}} minutes",
      second_one: "{{count}} second",
      second_other: "{{count}} seconds",
    },
    /** By unit and number; negative ones are in the past. */
    named: {
      "year-1": "last year",
      year1: "next year",
      "month-1": "last month",
      month1: "next month",
      "week-1": "last week",
      week1: "next week",
      "day-2": "2 days ago",
      "day-1": "yesterday",
      day1: "tomorrow",
      day2: "in 2 days",
      second0: "now",
    },
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
