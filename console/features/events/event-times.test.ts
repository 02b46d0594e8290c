import type { EventItem } from "@packhouse/contract/events";
import { describe, expect, test } from "vitest";
import { byMonthAndDay, clockAt } from "./event-times.ts";

const event = (id: number, time: string) => ({ id, time }) as EventItem; // nothing else is read

describe("events by month and day", () => {
  test("stay in order, with months and days of one time zone", () => {
    const months = byMonthAndDay(
      [event(4, "2026-11-01T00:10:00Z"), event(3, "2026-10-31T23:50:00Z"), event(2, "2026-10-31T08:00:00Z")],
      "utc",
    );
    expect(months.map(({ month, days }) => [month, days.map(({ day, events }) => [day, events.length])])).toEqual([
      ["2026.11", [["2026.11.01", 1]]],
      ["2026.10", [["2026.10.31", 2]]],
    ]);
  });

  test("use UTC on request", () => {
    expect(clockAt("2026-01-02T03:04:05Z", "utc")).toEqual({ month: "2026.01", day: "2026.01.02", time: "03:04" });
  });
});
