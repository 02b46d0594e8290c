import { eventFlags, eventList } from "@packhouse/contract/events";
import type { Deps } from "../deps.ts";
import { ok } from "../http/answer.ts";
import type { App } from "../http/application.ts";
import { readFilters } from "../http/list-query.ts";
import { Refusal } from "../http/refusal.ts";
import { presentEvent } from "./present-event.ts";
import { loadRelated, type ResourceReaders } from "./related-resources.ts";
import { events } from "./store.ts";

export function eventRoutes(app: App, { db }: Deps, readers: ResourceReaders): void {
  const store = events(db);

  app.list(
    "GET /events",
    eventList,
    async (query, actor) => {
      const found = await store.find(query, actor);
      const related = await loadRelated(db, readers, found.rows);
      return { ...found, rows: found.rows.map((event) => ({ event, related })) };
    },
    ({ event, related }, viewer) => presentEvent(event, related, viewer),
  );

  app.route("GET /events/:id", async (call) => {
    const event = await store.byId(call.id, call.actor, readFilters(eventFlags, call.query));
    if (!event) throw new Refusal("event.notfound");
    return ok(presentEvent(event, await loadRelated(db, readers, [event]), call));
  });
}
