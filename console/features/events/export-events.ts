import { type ExportFormat, exportLine, exportStart } from "@packhouse/contract/event-export";
import { type EventItem, eventList } from "@packhouse/contract/events";
import { exportEvents } from "@packhouse/contract/operations/events";
import { api, download } from "../../api/client.ts";
import { ApiFailure } from "../../api/failure.ts";

const pageSize = 1000;
/** More would not fit into the memory of a browser tab. */
export const mostExported = 100_000;

/** Everything that matches a filter, newest first. `query` is that of the list without page and size. */
export async function allEvents(query: URLSearchParams, onProgress: (count: number) => void): Promise<EventItem[]> {
  const found: EventItem[] = [];
  for (let page = 0; found.length < mostExported; page += 1) {
    query.set("page", String(page));
    query.set("size", String(pageSize));
    const answer = await api.list(eventList, query);
    found.push(...answer.content);
    onProgress(found.length);
    if (page + 1 >= answer.page.totalPages) break;
  }
  // New events shift the others: the last ones of a page can appear again on the next one.
  return [...new Map(found.map((event) => [event.id, event])).values()];
}

/** The server's export of everything that matches a filter; undefined if the server has no exports. */
export async function serverExport(query: URLSearchParams, format: ExportFormat): Promise<Blob | undefined> {
  const filters = new URLSearchParams(query);
  for (const name of ["page", "size", "sort"]) filters.delete(name);
  filters.set("format", format);
  try {
    return await download(exportEvents, { query: filters });
  } catch (error) {
    // Such a server reads `export` as the id of an event.
    if (error instanceof ApiFailure && [400, 404, 405, 406].includes(error.status ?? 0)) return undefined;
    throw error;
  }
}

/** The same file, generated here from events that were read page by page. */
export const eventsAs = (format: ExportFormat, events: readonly EventItem[], security: boolean): string =>
  exportStart(format, security) + events.map((event) => exportLine(format, event, security)).join("");

/** Converts a file with one event per line into one JSON document. */
export const asOneDocument = (jsonLines: string): string =>
  `${JSON.stringify(
    jsonLines
      .split("\n")
      .filter(Boolean)
      .map((line): unknown => JSON.parse(line)),
    null,
    2,
  )}\n`;
