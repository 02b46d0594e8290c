import { eventList } from "@packhouse/contract/events";
import type { Deps } from "../deps.ts";
import { ok } from "../http/answer.ts";
import type { App } from "../http/application.ts";
import { Refusal } from "../http/refusal.ts";
import { presentEvent } from "./present-event.ts";
import { loadRelated } from "./related-resources.ts";
import { events } from "./store.ts";

export function eventRoutes(app: App, deps: Deps): void {
  const store = events(deps.db);

  app.list(
    "GET /events",
    eventList,
    async (query, actor) => {
      const found = await store.find(query, actor);
      const related = await loadRelated(deps, found.rows);
      return { ...found, rows: found.rows.map((event) => ({ event, related })) };
    },
    ({ event, related }, viewer) => presentEvent(event, related, viewer),
  );

  app.route("GET /events/:id", async (call) => {
    const event = await store.byId(call.id);
    if (!event || (event.purged && call.actor.role !== "admin")) throw new Refusal("event.notfound");
    // People with the lowest role learn of accounts only what concerns their own.
    const aboutSomebodyElse = event.resource_type === "USER" && event.resource_id !== call.actor.id;
    if (aboutSomebodyElse && call.actor.role === "user") throw new Refusal("user.not.authorized");
    return ok(presentEvent(event, await loadRelated(deps, [event]), call));
  });
}
