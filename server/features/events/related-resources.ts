import { type AnyResourceType, type ResourceType, resourceType } from "@packhouse/contract/events";
import type { Expression } from "kysely";
import type { Db } from "../../platform/db/database.ts";
import { rowsAsJson } from "../../platform/db/statements/rows-as-json.ts";

/** How events read and show the records of one type. */
export interface ResourceReader {
  query(ids: readonly number[]): Expression<unknown>;
  idOf(row: unknown): number;
  body(row: unknown): Record<string, unknown>;
}
export type ResourceReaders = Readonly<Record<ResourceType, ResourceReader>>;

/** Combines what a feature knows of its records: the query that finds them and the shape without links. */
export const resourceReader = <Row>(
  query: (ids: readonly number[]) => Expression<Row>,
  idOf: (row: Row) => number,
  body: (row: Row) => Record<string, unknown>,
): ResourceReader => ({
  query,
  // The rows are those of the query next to these functions.
  idOf: (row) => idOf(row as Row),
  body: (row) => body(row as Row),
});

/** What events are about, as it is now, by `resourceKey`. For purged records only the id is left. */
export type RelatedResources = ReadonlyMap<string, Record<string, unknown>>;

/** What an event is about. */
export interface About {
  resource_type: AnyResourceType;
  resource_id: number;
}

export const resourceKey = (event: About): string => `${event.resource_type}/${event.resource_id}`;

/** Loads what a page of events is about, in one statement. */
export async function loadRelated(
  db: Db,
  readers: ResourceReaders,
  events: readonly About[],
): Promise<RelatedResources> {
  const ids = new Map<ResourceType, Set<number>>();
  for (const { resource_type, resource_id: id } of events) {
    // What has no record, such as the server itself, has nothing to load.
    const { data: type } = resourceType.safeParse(resource_type);
    if (type && id > 0) ids.set(type, (ids.get(type) ?? new Set<number>()).add(id));
  }
  if (ids.size === 0) return new Map();

  const rows = await rowsAsJson(
    db,
    [...ids].map(([type, ids]) => ({ type, query: readers[type].query([...ids]) })),
  );
  return new Map(
    rows.map(({ type, row: asJson }) => {
      const row = withInstants(asJson);
      return [`${type}/${readers[type].idOf(row)}`, readers[type].body(row)];
    }),
  );
}

/** JSON has no dates, so rows from JSON have strings in their place. Date columns are named `…_on`. */
const withInstants = (row: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(row).map(([column, value]) => [
      column,
      column.endsWith("_on") && typeof value === "string" ? new Date(value) : value,
    ]),
  );
