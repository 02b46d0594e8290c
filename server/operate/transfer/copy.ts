import { pipeline } from "node:stream/promises";
import pg from "pg";
import { from as copyFrom, to as copyTo } from "pg-copy-streams";
import { namedObjectsQuery } from "../../platform/storage/named-object-store.ts";
import type { Table } from "./store.ts";

/** The rows of a table in the text form of COPY: the same bytes from every database that holds the same rows. */
export const tableOut = (client: pg.Client, { name, columns, order }: Table): AsyncIterable<Uint8Array> =>
  out(client, `select ${list(columns)} from ${pg.escapeIdentifier(name)} order by ${order.join(", ")}`);

/** The objects that rows name, in the same form. */
export const objectsOut = (client: pg.Client): AsyncIterable<Uint8Array> =>
  out(client, `select digest, size from (${namedObjectsQuery}) as named order by digest collate "C"`);

const out = (client: pg.Client, query: string) => client.query(copyTo(`copy (${query}) to stdout`));

/** Inserts such rows, identity columns as they are. */
export async function tableIn(
  client: pg.Client,
  table: { schema?: string; name: string; columns: readonly string[] },
  lines: AsyncIterable<Uint8Array>,
): Promise<void> {
  const into = [table.schema, table.name]
    .flatMap((name) => name ?? [])
    .map(pg.escapeIdentifier)
    .join(".");
  await pipeline(lines, client.query(copyFrom(`copy ${into} (${list(table.columns)}) from stdin`)));
}

const list = (columns: readonly string[]): string => columns.map((name) => pg.escapeIdentifier(name)).join(", ");
