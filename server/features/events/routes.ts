import { Readable } from "node:stream";
import type { Sent } from "@packhouse/contract/answer";
import { exportLine, exportStart, exportTypes } from "@packhouse/contract/event-export";
import type { eventItem, eventList } from "@packhouse/contract/events";
import type { ListQuery } from "@packhouse/contract/list-contract";
import * as operations from "@packhouse/contract/operations/events";
import type { Actor } from "../../http/actor.ts";
import type { App, Viewer } from "../../http/application.ts";
import { attachment } from "../../http/headers/attachment.ts";
import { whenOver } from "../../http/when-over.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { exportEvents } from "./export-events.ts";
import { exportSlots } from "./export-slots.ts";
import { presentEvent } from "./present-event.ts";
import { presentSecurityEvent } from "./present-security-event.ts";
import { loadRelated, type ResourceReaders } from "./related-resources.ts";
import { securityEvents } from "./security-store.ts";
import { events } from "./store.ts";

/** How a row is shown: both kinds of events are in the same list. */
type Row = (viewer: Viewer) => Sent<typeof eventItem>;

export function eventRoutes(app: App, deps: Deps, readers: ResourceReaders): void {
  const { db, clock } = deps;
  const store = events(db);
  const security = securityEvents(db);
  const slots = exportSlots();

  const find = async (query: ListQuery<typeof eventList>, actor: Actor): Promise<Found<Row>> => {
    if (query.filters.security) {
      const found = await security.find(query, actor);
      const related = await loadRelated(db, readers, found.rows);
      return { ...found, rows: found.rows.map((event) => (viewer) => presentSecurityEvent(event, related, viewer)) };
    }
    const found = await store.find(query, actor);
    const related = await loadRelated(db, readers, found.rows);
    return { ...found, rows: found.rows.map((event) => (viewer) => presentEvent(event, related, viewer)) };
  };
  app.list(operations.listEvents, find, (row, viewer) => row(viewer));

  app.handle(operations.exportEvents, async (call) => {
    const { format = "jsonl", ...filters } = call.query;
    const release = slots.take(call.actor.id);
    if (!release) throw new Refusal("too.many.exports", null, { "retry-after": "10" });
    whenOver(call.reply, release);
    const security = filters.security === true;
    const lines = async function* () {
      yield exportStart(format, security);
      for await (const part of exportEvents(deps, readers, filters, call))
        yield part.map((event) => exportLine(format, event, security)).join("");
    };
    return call.reply
      .header("content-type", exportTypes[format])
      .header("content-disposition", attachment(`events-${clock().toISOString().slice(0, 10)}.${format}`))
      .header("cache-control", "no-store")
      .header("x-content-type-options", "nosniff")
      .send(Readable.from(lines(), { objectMode: false }));
  });

  app.handle(operations.readEvent, async (call) => {
    const flags = call.query;
    if (flags.security) {
      const event = await security.byId(call.id, call.actor);
      if (!event) throw new Refusal("event.notfound");
      return presentSecurityEvent(event, await loadRelated(db, readers, [event]), call);
    }
    const event = await store.byId(call.id, call.actor, flags);
    if (!event) throw new Refusal("event.notfound");
    return presentEvent(event, await loadRelated(db, readers, [event]), call);
  });
}
