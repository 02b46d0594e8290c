import { Kysely, PostgresDialect } from "kysely";
import pg from "pg";
import type { Db, OpenDatabase } from "../../platform/db/database.ts";
import type { Database } from "../../platform/db/schema.ts";

/** One connection, as Kysely and as pg see it: both share its transactions. */
export interface Connection extends AsyncDisposable {
  db: Db;
  /** For COPY, which Kysely does not support. */
  client: pg.Client;
}

/** A connection outside the pool: it may be held for hours, and its session locks end with it. */
export async function connect({ pool }: Pick<OpenDatabase, "pool">): Promise<Connection> {
  // The pool makes its password non-enumerable. The driver refuses COPY in a pipeline.
  const client = new pg.Client({ ...pool.options, password: pool.options.password, pipeline: false });
  client.on("error", () => {}); // the next statement fails with it
  await client.connect();
  // Every value has one text form whatever the server's settings are, and no timeout ends long work.
  await client.query(`
    set timezone = 'UTC'; set datestyle = 'ISO'; set intervalstyle = 'postgres'; set bytea_output = 'hex';
    set extra_float_digits = 1; set statement_timeout = 0; set idle_in_transaction_session_timeout = 0`);
  const lent = Object.assign(client, { release() {} });
  const db = new Kysely<Database>({
    dialect: new PostgresDialect({ pool: { options: pool.options, connect: async () => lent, end: async () => {} } }),
  });
  return {
    db,
    client,
    async [Symbol.asyncDispose]() {
      await client.end();
    },
  };
}
