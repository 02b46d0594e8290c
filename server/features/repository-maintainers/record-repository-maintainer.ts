import type { ChangedProperty, EventType } from "@packhouse/contract/events";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { RepositoryMaintainer } from "./store.ts";

/** Writes down what was done to a repository maintainer's record. */
export async function recordRepositoryMaintainer(
  tx: Tx,
  what: { type: EventType; by: Actor; at: Date; changed?: readonly ChangedProperty[] },
  row: RepositoryMaintainer,
): Promise<void> {
  const { type, by, at, changed = [] } = what;
  await recordEvent(tx, {
    by,
    at,
    type,
    resource: "REPOSITORY_MAINTAINER",
    resourceId: row.id,
    place: { technology: row.repository.technology, repositoryId: row.repository_id },
    changed,
    purged: type === "delete",
    description: describe(type, by.name, row, changed),
  });
}

function describe(
  type: EventType,
  who: string,
  row: RepositoryMaintainer,
  changed: readonly ChangedProperty[],
): string {
  const whom = row.user.name;
  const what = `the repository ${row.repository.name}`;
  const to = new Map(changed.map(({ property, valueAfter }) => [property, valueAfter]));
  if (to.get("deleted") === "true") return `${who} dismissed ${whom} as maintainer of ${what}.`;
  if (to.get("deleted") === "false" || type === "create") return `${who} made ${whom} maintainer of ${what}.`;
  if (type === "delete") return `${who} removed for good that ${whom} was maintainer of ${what}.`;
  if (to.has("user")) return `${who} handed the record of a maintainer of ${what} to ${whom}.`;
  return `${who} moved ${whom} to ${what} as its maintainer.`;
}
