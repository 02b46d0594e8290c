import type { EventItem } from "@packhouse/contract/events";
import { describe, expect, test } from "vitest";
import { eventWord } from "./event-word.ts";

const update = (...changes: [property: string, valueAfter: string][]): EventItem => ({
  id: 1,
  technology: "R",
  time: "2026-11-20T10:00:00Z",
  user: { id: 1, name: "Ada", login: "ada", email: "ada@example.org" },
  eventType: "update",
  resourceId: 1,
  resourceType: "SUBMISSION",
  changedProperties: changes.map(([property, valueAfter]) => ({ property, valueBefore: "", valueAfter })),
  relatedResource: {},
  description: "",
  links: [],
});

describe("the word for an event", () => {
  test("is the decision on a submission, by anyone", () => {
    expect(eventWord(update(["state", "accepted"], ["approver", "7"]))).toBe("accepted");
    expect(eventWord(update(["approver", "7"], ["state", "rejected"]))).toBe("rejected");
  });

  test("is the new state of a switch", () => {
    expect(eventWord(update(["active", "false"]))).toBe("deactivated");
    expect(eventWord(update(["published", "true"]))).toBe("published");
    expect(eventWord(update(["deleted", "true"], ["active", "false"]))).toBe("delete");
    expect(eventWord(update(["deleted", "false"]))).toBe("restored");
  });

  test("is 'updated' for anything else", () => {
    expect(eventWord(update(["name", "stats"]))).toBe("update");
    expect(eventWord(update(["state", "unheard of"]))).toBe("update");
  });

  test("is the type if it is not an update", () => {
    expect(eventWord({ ...update(), eventType: "upload" })).toBe("upload");
  });
});
