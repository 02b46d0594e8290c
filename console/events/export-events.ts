import { type EventItem, eventList } from "@packhouse/contract/events";
import { api } from "../api/client.ts";

const pageSize = 1000;
/** More would not fit in the memory of a browser's tab. */
export const mostExported = 100_000;

/** Everything that a filter finds, newest first. `query` is that of the list without page and size. */
export async function allEvents(query: URLSearchParams, onProgress: (count: number) => void): Promise<EventItem[]> {
  const found: EventItem[] = [];
  for (let page = 0; found.length < mostExported; page += 1) {
    query.set("page", String(page));
    query.set("size", String(pageSize));
    const answer = await api.list(eventList, query.toString());
    found.push(...answer.content);
    onProgress(found.length);
    if (page + 1 >= answer.page.totalPages) break;
  }
  // An event that came meanwhile moves the others on: what was on one page may stand on the next again.
  return [...new Map(found.map((event) => [event.id, event])).values()];
}

const columns = [
  ["id", ({ id }) => String(id)],
  ["time", ({ time }) => time],
  ["author", ({ user }) => user.login],
  ["eventType", ({ eventType }) => eventType],
  ["resourceType", ({ resourceType }) => resourceType],
  ["resourceId", ({ resourceId }) => String(resourceId)],
  ["technology", ({ technology }) => technology],
  ["description", ({ description }) => description ?? ""],
  [
    "changes",
    ({ changedProperties }) =>
      changedProperties.map((it) => `${it.property}: ${it.valueBefore} -> ${it.valueAfter}`).join("; "),
  ],
] as const satisfies readonly (readonly [string, (event: EventItem) => string])[];

/** RFC 4180. What a spreadsheet would take for a formula gets an apostrophe before it. */
export function eventsAsCsv(events: readonly EventItem[]): string {
  const cell = (text: string) => {
    const harmless = /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
  };
  const rows = events.map((event) => columns.map(([, read]) => cell(read(event))));
  return [columns.map(([name]) => name), ...rows].map((row) => `${row.join(",")}\r\n`).join("");
}

export const eventsAsJson = (events: readonly EventItem[]): string =>
  `${JSON.stringify(
    events.map(({ links: _links, ...event }) => event),
    null,
    2,
  )}\n`;
