import type { ChangedProperty, EventType } from "@packhouse/contract/events";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { Maintainer } from "./maintainer.ts";
import type { MaintainerScope } from "./scopes.ts";

/** Records the event of a change to a maintainer's record. */
export async function recordMaintainer(
  { resource, phrase }: MaintainerScope,
  tx: Tx,
  what: { type: EventType; by: Actor; at: Date; changed?: readonly ChangedProperty[] },
  row: Maintainer,
): Promise<void> {
  const { type, by, at, changed = [] } = what;
  await recordEvent(tx, {
    by,
    at,
    type,
    resource,
    resourceId: row.id,
    place: {
      technology: row.repository.technology,
      repositoryId: row.repository_id,
      normalizedName: row.normalized_name,
    },
    changed,
    purged: type === "delete",
    description: sentence(type, changed, { who: by.name, whom: row.user.name, what: phrase(row) }),
  });
}

function sentence(
  type: EventType,
  changed: readonly ChangedProperty[],
  { who, whom, what }: { who: string; whom: string; what: string },
): string {
  const to = new Map(changed.map(({ property, valueAfter }) => [property, valueAfter]));
  if (to.get("deleted") === "true") return `${who} removed ${whom} as maintainer of ${what}.`;
  if (to.get("deleted") === "false" || type === "create") return `${who} made ${whom} a maintainer of ${what}.`;
  if (type === "delete") return `${who} permanently deleted ${whom} as maintainer of ${what}.`;
  if (to.has("user")) return `${who} replaced a maintainer of ${what} with ${whom}.`;
  return `${who} made ${whom} a maintainer of ${what} instead.`;
}
