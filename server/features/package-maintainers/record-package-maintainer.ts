import type { ChangedProperty, EventType } from "@packhouse/contract/events";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { PackageMaintainer } from "./store.ts";

/** Writes down what was done to a package maintainer's record. */
export async function recordPackageMaintainer(
  tx: Tx,
  what: { type: EventType; by: Actor; at: Date; changed?: readonly ChangedProperty[] },
  row: PackageMaintainer,
): Promise<void> {
  const { type, by, at, changed = [] } = what;
  await recordEvent(tx, {
    by,
    at,
    type,
    resource: "PACKAGE_MAINTAINER",
    resourceId: row.id,
    place: {
      technology: row.repository.technology,
      repositoryId: row.repository_id,
      normalizedName: row.normalized_name,
    },
    changed,
    purged: type === "delete",
    description: describe(type, by.name, row, changed),
  });
}

function describe(type: EventType, who: string, row: PackageMaintainer, changed: readonly ChangedProperty[]): string {
  const whom = row.user.name;
  const what = `${row.package_name} in ${row.repository.name}`;
  const deleted = changed.find(({ property }) => property === "deleted")?.valueAfter;
  if (deleted === "true") return `${who} dismissed ${whom} as maintainer of ${what}.`;
  if (deleted === "false" || type === "create") return `${who} made ${whom} maintainer of ${what}.`;
  if (type === "delete") return `${who} removed for good that ${whom} was maintainer of ${what}.`;
  return `${who} moved ${whom} to ${what} as its maintainer.`;
}
