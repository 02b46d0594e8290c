import type { EventItem } from "@packhouse/contract/events";
import type { UserItem } from "@packhouse/contract/users";
import { describe, expect, test } from "vitest";
import { concerns, grouped, isNew } from "./notifications.ts";

const person = (id: number) => ({ id, name: `P${id}`, login: `p${id}`, email: "" });
const event = (id: number, change: Partial<EventItem> = {}): EventItem => ({
  id,
  technology: "R",
  time: "2026-11-20T10:00:00Z",
  user: person(1),
  eventType: "upload",
  resourceId: 9,
  resourceType: "SUBMISSION",
  changedProperties: [],
  relatedResource: {},
  description: "",
  links: [],
  ...change,
});
const me = (lastLoggedInOn: string): UserItem => ({
  ...person(7),
  active: true,
  deleted: false,
  lastLoggedInOn,
  createdOn: "",
  roleId: 1,
  role: "user",
  expirationDate: null,
  userSettings: null,
  links: [],
});

describe("the notification feed", () => {
  test("marks events after the previous sign-in as new until they are seen", () => {
    const before = me("2026-11-20T09:00:00Z");
    expect(isNew(event(1), before, new Set())).toBe(true);
    expect(isNew(event(1), before, new Set([1]))).toBe(false);
    expect(isNew(event(1), me("2026-11-20T11:00:00Z"), new Set())).toBe(false);
    expect(isNew(event(1), me(""), new Set())).toBe(false);
  });

  test("merges repeated events into one entry", () => {
    const entries = grouped([event(3), event(2), event(1, { resourceId: 10 }), event(0)]);
    expect(entries.map(({ event, repeated }) => [event.id, repeated])).toEqual([
      [3, 1],
      [1, 0],
      [0, 0],
    ]);
  });

  test("knows which events concern the user: what others did to their things", () => {
    const own = me("");
    expect(concerns(event(1, { relatedResource: { submitter: person(7) } }), own)).toBe(true);
    expect(concerns(event(1, { relatedResource: { user: person(7) } }), own)).toBe(true);
    expect(concerns(event(1, { resourceType: "USER", resourceId: 7 }), own)).toBe(true);
    expect(concerns(event(1, { user: person(7), relatedResource: { user: person(7) } }), own)).toBe(false);
    expect(concerns(event(1, { relatedResource: { user: person(8) } }), own)).toBe(false);
  });
});
