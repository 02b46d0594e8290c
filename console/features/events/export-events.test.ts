import type { EventItem } from "@packhouse/contract/events";
import { describe, expect, test } from "vitest";
import { asOneDocument, eventsAs } from "./export-events.ts";

const event: EventItem = {
  id: 7,
  technology: "R",
  time: "2026-11-20T10:00:00Z",
  user: { id: 1, name: "Ada", login: "=ada", email: "" },
  eventType: "update",
  resourceId: 9,
  resourceType: "REPOSITORY",
  changedProperties: [{ property: "name", valueBefore: 'a "b"', valueAfter: "c" }],
  relatedResource: { name: "c" },
  description: "Ada changed c, at last",
  links: [{ rel: "self", href: "/events/7" }],
};

describe("exported events", () => {
  test("are table rows that no spreadsheet interprets as formulas", () => {
    expect(eventsAs("csv", [event], false)).toBe(
      "id,time,author,eventType,resourceType,resourceId,technology,description,changes\r\n" +
        '7,2026-11-20T10:00:00Z,\'=ada,update,REPOSITORY,9,R,"Ada changed c, at last","name: a ""b"" -> c"\r\n',
    );
  });

  test("are JSON without links, line by line or as one document", () => {
    const { links: _, ...rest } = event;
    const lines = eventsAs("jsonl", [event, event], false);
    expect(
      lines
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line)),
    ).toEqual([rest, rest]);
    expect(JSON.parse(asOneDocument(lines))).toEqual([rest, rest]);
    expect(JSON.parse(asOneDocument(""))).toEqual([]);
  });
});
