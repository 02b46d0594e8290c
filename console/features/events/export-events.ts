import { type ExportFormat, exportLine, exportStart } from "@packhouse/contract/event-export";
import { type EventItem, eventList } from "@packhouse/contract/events";
import { api } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";

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

/** The file that the server writes of everything that a filter finds; undefined where a server writes none. */
export async function serverExport(query: URLSearchParams, format: ExportFormat): Promise<Blob | undefined> {
  const filters = new URLSearchParams(query);
  for (const name of ["page", "size", "sort"]) filters.delete(name);
  filters.set("format", format);
  try {
    return await api.download(`${eventList.path}/export?${filters}`);
  } catch (error) {
    // Such a server takes `export` for the id of an event.
    if (error instanceof ApiFailure && [400, 404, 405, 406].includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/** The same file, made here of events that were read page by page. */
export const eventsAs = (format: ExportFormat, events: readonly EventItem[], security: boolean): string =>
  exportStart(format, security) + events.map((event) => exportLine(format, event, security)).join("");

/** One JSON document made of a file with a line for each event. */
export const asOneDocument = (jsonLines: string): string =>
  `${JSON.stringify(
    jsonLines
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
    null,
    2,
  )}\n`;
