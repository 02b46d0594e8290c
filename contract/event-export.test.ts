import { describe, expect, test } from "vitest";
import { type ExportedEvent, exportLine, exportStart } from "./event-export.ts";

const event: ExportedEvent = {
  id: 7,
  technology: "R",
  time: "2026-11-20T10:00:00Z",
  user: { id: 1, name: "Ada", login: "ada", email: "" },
  eventType: "update",
  resourceId: 9,
  resourceType: "REPOSITORY",
  changedProperties: [{ property: "name", valueBefore: 'a "b"', valueAfter: "c" }],
  relatedResource: { name: "c" },
  description: "Ada changed c, at last",
  links: [{ rel: "self", href: "/events/7" }],
};

/** Parses rows and cells according to RFC 4180. */
function parsed(text: string): string[][] {
  const rows: string[][] = [[]];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/g)) {
    rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === "\r\n") rows.push([]);
  }
  return rows.filter((row) => row.length > 0);
}

describe("an export of events", () => {
  test("has a header and one row for each event", () => {
    expect(exportStart("csv", false) + exportLine("csv", event, false)).toBe(
      "id,time,author,eventType,resourceType,resourceId,technology,description,changes\r\n" +
        '7,2026-11-20T10:00:00Z,ada,update,REPOSITORY,9,R,"Ada changed c, at last","name: a ""b"" -> c"\r\n',
    );
    expect(exportStart("csv", true)).toMatch(/,changes,detail,subject,address,count,lastTime\r\n$/);
  });

  test("has one JSON object per line, without links", () => {
    const { links: _, ...rest } = event;
    const line = exportLine("jsonl", { ...event, description: "two\nlines" }, false);
    expect(line.indexOf("\n")).toBe(line.length - 1);
    expect(JSON.parse(line)).toEqual({ ...rest, description: "two\nlines" });
    expect(exportStart("jsonl", false)).toBe("");
  });

  test.each([
    '=HYPERLINK("http://x")',
    "+1",
    "-1+cmd|' /C calc'!A0",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    "  =1",
    "\u200b=1",
    "\uff1d1+1",
    "\uff0b1",
    'a",=1,"',
    "a;=1",
    'a"\r\n=1,2',
  ])("has no cell that a spreadsheet takes for a formula: %j", (text) => {
    const row = exportLine("csv", { ...event, user: { ...event.user, login: text }, subject: text }, true);
    const [cells = [], ...more] = parsed(row);
    expect(more).toEqual([]);
    expect(cells).toHaveLength(14);
    for (const index of [2, 10]) {
      expect(cells[index]?.replace(/^'/, "")).toBe(text);
      expect(cells[index]).toMatch(/^['a]/);
    }
    // Including locales with another separator.
    for (const part of row.split(/[;\t](?=(?:[^"]*"[^"]*")*[^"]*$)/)) expect(part).not.toMatch(/^[=+\-@]/);
  });
});
