import { setTimeout as sleep } from "node:timers/promises";
import type { Sent } from "@packhouse/contract/answer";
import type { eventItem, eventList } from "@packhouse/contract/events";
import type { FilterValues } from "@packhouse/contract/list-contract";
import type { Actor } from "../../http/actor.ts";
import type { Viewer } from "../../http/application.ts";
import { actorNow } from "../../identity/sign-in/authenticate.ts";
import type { Deps } from "../deps.ts";
import type { Cursor } from "./cursor-store.ts";
import { presentEvent } from "./present-event.ts";
import { presentSecurityEvent } from "./present-security-event.ts";
import { type About, loadRelated, type RelatedResources, type ResourceReaders } from "./related-resources.ts";
import { securityEvents } from "./security-store.ts";
import { events } from "./store.ts";

type EventFilters = FilterValues<typeof eventList>;

const batchSize = 500;
/** The shortest time between two parts, so that others get their turn at the database. */
const pauseMs = 25;

/**
 * Every event that the list would show with these filters, newest first, in parts. One part is in memory at a time; the
 * next is read when the previous one has been taken.
 */
export function exportEvents(
  deps: Pick<Deps, "db" | "clock" | "settings">,
  readers: ResourceReaders,
  filters: EventFilters,
  viewer: Viewer,
): AsyncGenerator<Sent<typeof eventItem>[]> {
  const exported = { deps, readers, filters, viewer };
  return filters.security
    ? partsOf(securityEvents(deps.db), presentSecurityEvent, exported)
    : partsOf(events(deps.db), presentEvent, exported);
}

interface Exported {
  deps: Pick<Deps, "db" | "clock" | "settings">;
  readers: ResourceReaders;
  filters: EventFilters;
  viewer: Viewer;
}

interface PartStore<Row> {
  part(filters: EventFilters, actor: Actor, from: { after: Cursor | undefined; size: number }): Promise<Row[]>;
}

async function* partsOf<Row extends About & { id: number; cursor: string }>(
  store: PartStore<Row>,
  present: (row: Row, related: RelatedResources, viewer: Viewer) => Sent<typeof eventItem>,
  { deps, readers, filters, viewer }: Exported,
): AsyncGenerator<Sent<typeof eventItem>[]> {
  let after: Cursor | undefined;
  for (;;) {
    // A client may take hours to read an export.
    const reader = after === undefined ? viewer : { ...viewer, actor: await actorNow(deps, viewer.actor) };
    const rows = await store.part(filters, reader.actor, { after, size: batchSize });
    const related = await loadRelated(deps.db, readers, rows);
    if (rows.length > 0) yield rows.map((row) => present(row, related, reader));
    const last = rows.at(-1);
    if (!last || rows.length < batchSize) return;
    after = { time: last.cursor, id: last.id };
    await sleep(pauseMs);
  }
}
