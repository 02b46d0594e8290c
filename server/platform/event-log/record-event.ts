import type { ChangedProperty, EventType, ResourceType } from "@packhouse/contract/events";
import type { Technology } from "@packhouse/contract/technology";
import type { Tx } from "../db/database.ts";
import { storedJson } from "../db/stored-json.ts";
import { insertEvents } from "./event-store.ts";

/** An action of a user, as it is recorded. */
export interface NewEvent {
  by: { id: number };
  at: Date;
  type: EventType;
  resource: ResourceType;
  resourceId: number;
  /** Where it happened, for filters and visibility; left out for people and tokens. */
  place?: {
    technology: Technology;
    repositoryId: number;
    packageId?: number | undefined;
    normalizedName?: string | undefined;
  };
  changed?: readonly ChangedProperty[];
  /** A purge event: listed only for administrators who ask for them. */
  purged?: boolean;
  /** One sentence on what happened, in English. */
  description: string;
}

/** Writes an event in the transaction of the change that it records. Events are only ever added. */
export const recordEvent = (tx: Tx, event: NewEvent): Promise<void> => recordEvents(tx, [event]);

/** The same for several, in their order. */
export const recordEvents = (tx: Tx, events: readonly NewEvent[]): Promise<void> => insertEvents(tx, events.map(rowOf));

function rowOf(event: NewEvent) {
  const changed = [...(event.changed ?? [])].sort((a, b) => (a.property < b.property ? -1 : 1));
  return {
    occurred_on: event.at,
    user_id: event.by.id,
    event_type: event.type,
    resource_type: event.resource,
    resource_id: event.resourceId,
    technology: event.place?.technology ?? null,
    repository_id: event.place?.repositoryId ?? null,
    package_id: event.place?.packageId ?? null,
    package_name: event.place?.normalizedName ?? null,
    changed_properties: storedJson(changed),
    description: event.description,
    purged: event.purged ?? false,
  };
}

/** A changed property, if it changed at all; values are shown as text, missing ones as empty. */
export function change(property: string, before: unknown, after: unknown): ChangedProperty[] {
  const text = (value: unknown) => (value === null || value === undefined ? "" : String(value));
  return text(before) === text(after) ? [] : [{ property, valueBefore: text(before), valueAfter: text(after) }];
}
