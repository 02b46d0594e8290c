import type { EventItem } from "@packhouse/contract/events";
import { describe, expect, test } from "vitest";
import { asOneDocument, eventsAs } from "./export-events.ts";

const event = (id: number): EventItem => ({
  id,
  technology: "R",
  time: "2026-11-20T10:00:00Z",
  user: { id: 1, name: "Ada", login: "ada", email: "" },
  eventType: "delete",
  resourceId: 9,
  resourceType: "REPOSITORY",
  changedProperties: [],
  relatedResource: {},
  links: [],
});

describe("exported events", () => {
  test("are table rows below one header", () => {
    const [header, ...rows] = eventsAs("csv", [event(7), event(8)], false).split("\r\n");
    expect(header).toMatch(/^id,time,author,/);
    expect(rows).toEqual([expect.stringMatching(/^7,/), expect.stringMatching(/^8,/), ""]);
  });

  test("are JSON, line by line or as one document", () => {
    const lines = eventsAs("jsonl", [event(7), event(8)], false);
    const both = [expect.objectContaining({ id: 7 }), expect.objectContaining({ id: 8 })];
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual(both);
    expect(JSON.parse(asOneDocument(lines))).toEqual(both);
    expect(JSON.parse(asOneDocument(""))).toEqual([]);
  });
});
