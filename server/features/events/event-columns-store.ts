import type { eventList } from "@packhouse/contract/events";
import type { FilterValues } from "@packhouse/contract/list-contract";
import { sql } from "kysely";
import type { z } from "zod";
import type { FilterConditions } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";

type EventFilters = FilterValues<typeof eventList>;

interface EventNames {
  /** The types of events that the table has. */
  types: z.ZodType<string>;
  /** Names of the filter by resource type, by the resource types that the table has. */
  resources: Readonly<Record<string, string>>;
}

/** What both tables of events have in common: orders and filters on columns that never change. */
export function eventColumns(table: "events" | "security_events", { types, resources }: EventNames) {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  const typesByName = new Map(Object.entries(resources).map(([type, name]) => [name, type]));

  const columns: SortColumns<typeof eventList> = { id: sql`${column("id")}`, time: sql`${column("occurred_on")}` };

  /**
   * The same orders as expressions that no index has. PostgreSQL cannot know how few events a name matches, and would
   * scan all in their order until enough of them fit; this way it collects what the name matches and sorts that.
   */
  const gathered: SortColumns<typeof eventList> = {
    id: sql`(${column("id")} + 0)`,
    time: sql`(${column("occurred_on")} + interval '0')`,
  };

  const ownFilters = {
    technology: (technologies) => sql`${column("technology")} = any(${technologies})`,
    eventType: (types) => sql`${column("event_type")} = any(${types})`,
    resourceType: (names) => sql`${column("resource_type")} = any(${names.map((name) => typesByName.get(name))})`,
    fromDate: (from) => sql`${column("occurred_on")} >= ${from}`,
    toDate: (to) => sql`${column("occurred_on")} <= ${to}`,
  } satisfies Partial<FilterConditions<typeof eventList>>;

  return {
    columns,
    gathered,
    ownFilters,

    /** A type that the table does not have empties the list, whatever else is given. */
    findsNothing: ({ eventType, resourceType }: EventFilters): boolean =>
      eventType?.every((name) => types.safeParse(name).success) === false ||
      resourceType?.every((name) => typesByName.has(name)) === false,
  };
}
