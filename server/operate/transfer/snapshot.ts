import type pg from "pg";
import type { Db } from "../../platform/db/database.ts";
import { latestSchema, schemaOf } from "../../platform/db/migrate.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { holdOffSweep } from "../../platform/storage/sweep-store.ts";
import { connect } from "./connection.ts";
import type { Content } from "./content.ts";
import { objectsOut, tableOut } from "./copy.ts";
import { holdChanges, installationOf, isUntouched, tableOf, tablesOf } from "./store.ts";

/** Where an installation lives. */
export interface Place {
  pool: pg.Pool;
  storage: ObjectStorage;
}

/**
 * What an installation holds at one moment, while its servers run. Until `work` is done no bytes are removed, even if
 * the rows that name them are.
 */
export async function withSnapshot<Result>(
  { pool, storage }: Place,
  work: (content: Content) => Promise<Result>,
  changes: "go on" | "are held" = "go on",
): Promise<Result> {
  await using connection = await connect({ pool });
  const { db, client } = connection;
  // Before the snapshot: bytes that it names might be about to be removed.
  await holdOffSweep(db);
  await requireOurSchema(db);
  const tables = await tablesOf(db);
  // Never rolled back: the transaction ends with its connection, even in the middle of a COPY.
  await client.query("begin isolation level repeatable read");
  // First statement of the transaction: the first read of a row fixes the snapshot.
  if (changes === "are held") await holdChanges(db, tables);
  return await work({
    schema: latestSchema,
    installation: await installationOf(db),
    tables: await tablesOf(db),
    readTable: (name) => tableOut(client, tableOf(tables, name)),
    readObjectList: () => objectsOut(client),
    readObject: (digest) => storage.read(digest),
  });
}

async function requireOurSchema(db: Db): Promise<void> {
  if (await isUntouched(db)) throw new OperatorError("There is nothing in the database yet.");
  const schema = await schemaOf(db);
  if (schema !== latestSchema)
    throw new OperatorError(
      `The database has the schema ${schema}, this version of Packhouse requires ${latestSchema}. Use the version that the servers run.`,
    );
}
