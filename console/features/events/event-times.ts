import type { EventItem } from "@packhouse/contract/events";
import { ownZone } from "../../language/i18n.ts";
import type { Zone } from "../../list/list-address.ts";

export const zoneName = (zone: Zone): string => (zone === "utc" ? "UTC" : ownZone());

interface Clock {
  /** `YYYY.MM` and `YYYY.MM.DD`: months and days of the same zone. */
  month: string;
  day: string;
  time: string;
}

/** An instant as date and time of a zone. */
export function clockAt(instant: string, zone: Zone): Clock {
  const at = new Date(instant);
  const [year, month, day, hours, minutes] =
    zone === "utc"
      ? [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate(), at.getUTCHours(), at.getUTCMinutes()]
      : [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours(), at.getMinutes()];
  const two = (value: number) => String(value).padStart(2, "0");
  const monthText = `${year}.${two(month + 1)}`;
  return { month: monthText, day: `${monthText}.${two(day)}`, time: `${two(hours)}:${two(minutes)}` };
}

export interface Day {
  day: string;
  events: EventItem[];
}
export interface Month {
  month: string;
  days: Day[];
}

/** Events by month and day, in their original order. */
export function byMonthAndDay(events: readonly EventItem[], zone: Zone): Month[] {
  const months = Map.groupBy(events, ({ time }) => clockAt(time, zone).month);
  return [...months].map(([month, inMonth]) => ({
    month,
    days: [...Map.groupBy(inMonth, ({ time }) => clockAt(time, zone).day)].map(([day, events]) => ({ day, events })),
  }));
}
