import type { EventItem } from "@packhouse/contract/events";
import { describe, expect, test } from "vitest";
import { subjectOf } from "./related-resource.ts";

const event = (resourceType: EventItem["resourceType"], relatedResource: Record<string, unknown>): EventItem => ({
  id: 1,
  technology: "R",
  time: "2026-11-21T10:00:00Z",
  user: { id: 1, name: "Ada", login: "ada", email: "ada@example.org" },
  eventType: "update",
  resourceId: 7,
  resourceType,
  changedProperties: [],
  relatedResource,
  description: "",
  links: [],
});
const tidetable = { id: 3, name: "tidetable", version: "1.2", technology: "R", repository: { name: "north" } };

describe("the subject of an event", () => {
  test("is named and linked according to its type", () => {
    expect(subjectOf(event("PACKAGE", tidetable), "user")).toEqual({
      title: "tidetable",
      version: "1.2",
      place: "north",
      technology: "R",
      page: { to: "/packages/$technology/$id", params: { technology: "R", id: 3 } },
    });
    expect(subjectOf(event("REPOSITORY", { name: "north & south", technology: "R" }), "user").page).toEqual({
      to: "/repositories/$technology/$id",
      params: { technology: "R", id: 7 },
    });
    const maintainer = { user: { name: "Bea", login: "bea" }, repository: { name: "north" }, packageName: "tidetable" };
    expect(subjectOf(event("PACKAGE_MAINTAINER", maintainer), "user")).toEqual({
      title: "Bea",
      login: "bea",
      place: "tidetable · north",
    });
    expect(subjectOf(event("USER", { name: "Bea", login: "bea" }), "user")).toEqual({ title: "Bea", login: "bea" });
  });
  test("links to a submission's package only if it was accepted", () => {
    const submission = (state: string) => event("SUBMISSION", { state, packageBag: tidetable });
    expect(subjectOf(submission("ACCEPTED"), "user").page?.to).toBe("/packages/$technology/$id");
    expect(subjectOf(submission("WAITING"), "user").page).toBeUndefined();
  });
  test("has a page although it was deleted only for administrators, who see such pages", () => {
    const deleted = { ...tidetable, deleted: true };
    const events = [
      event("PACKAGE", deleted),
      event("SUBMISSION", { state: "ACCEPTED", packageBag: deleted }),
      event("REPOSITORY", { name: "north", technology: "R", deleted: true }),
    ];
    for (const one of events) {
      expect(subjectOf(one, "repositorymaintainer").page).toBeUndefined();
      expect(subjectOf(one, "admin").page).toBeDefined();
    }
  });
  test("is an id if nothing else is left", () => {
    expect(subjectOf(event("PACKAGE", { id: 7 }), "user")).toEqual({ title: "#7" });
  });

  test("has its name even if its type is unknown", () => {
    expect(subjectOf(event("SIGNING_KEY", { name: "release key" }), "user")).toEqual({ title: "release key" });
    expect(subjectOf(event("SIGNING_KEY", {}), "user")).toEqual({ title: "#7" });
  });
});
