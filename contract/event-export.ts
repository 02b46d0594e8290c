import { z } from "zod";
import { type EventItem, eventList } from "./events.ts";
import { longestParameter } from "./limits.ts";
import { described } from "./list-contract.ts";

/** The part of an event that exports contain. */
export type ExportedEvent = Omit<EventItem, "links"> & { links?: unknown };

export const exportFormat = z.enum(["jsonl", "csv"]);
export type ExportFormat = z.infer<typeof exportFormat>;

/** Not `application/jsonl`: it is not registered, and clients match its prefix and take it for JSON. */
export const exportTypes: Record<ExportFormat, string> = {
  jsonl: "application/x-ndjson; charset=utf-8",
  csv: "text/csv; charset=utf-8; header=present",
};

/** Query of `GET /events/export`: the filters of the list, plus the format. */
export const exportQuery = {
  ...eventList.filters,
  format: described(
    z
      .array(z.string())
      .transform((values) => values.find((value) => value !== "")?.toLowerCase() ?? "jsonl")
      .pipe(exportFormat),
    { type: "string", maxLength: longestParameter },
  ),
};

type Columns = readonly (readonly [name: string, read: (event: ExportedEvent) => string | number | undefined])[];

const columns: Columns = [
  ["id", ({ id }) => id],
  ["time", ({ time }) => time],
  ["author", ({ user }) => user.login],
  ["eventType", ({ eventType }) => eventType],
  ["resourceType", ({ resourceType }) => resourceType],
  ["resourceId", ({ resourceId }) => resourceId],
  ["technology", ({ technology }) => technology],
  ["description", ({ description }) => description],
  [
    "changes",
    ({ changedProperties }) =>
      changedProperties.map((it) => `${it.property}: ${it.valueBefore} -> ${it.valueAfter}`).join("; "),
  ],
];
const securityColumns: Columns = [
  ...columns,
  ["detail", ({ detail }) => detail],
  ["subject", ({ subject }) => subject],
  ["address", ({ address }) => address],
  ["count", ({ count }) => count],
  ["lastTime", ({ lastTime }) => lastTime],
];
const columnsOf = (security: boolean): Columns => (security ? securityColumns : columns);

/**
 * A cell as RFC 4180 defines it. Text that a spreadsheet would treat as a formula gets a leading apostrophe, also after
 * blanks and for the full-width forms of the signs. Anything that is a separator in some locale is quoted.
 */
function cell(value: string | number | undefined): string {
  if (typeof value === "number") return String(value);
  const text = value ?? "";
  const harmless = /^[\s\p{C}]*[=+\-@\uff1d\uff0b\uff0d\uff20]|^[\t\r\n]/u.test(text) ? `'${text}` : text;
  return /[",;\t\r\n]/.test(harmless) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}

const csvRow = (cells: readonly (string | number | undefined)[]): string => `${cells.map(cell).join(",")}\r\n`;

/** What precedes the first event of an export. */
export const exportStart = (format: ExportFormat, security: boolean): string =>
  format === "csv" ? csvRow(columnsOf(security).map(([name]) => name)) : "";

/** One event of an export, including its line ending. */
export function exportLine(format: ExportFormat, event: ExportedEvent, security: boolean): string {
  if (format === "csv") return csvRow(columnsOf(security).map(([, read]) => read(event)));
  const { links: _links, ...rest } = event;
  return `${JSON.stringify(rest)}\n`;
}
