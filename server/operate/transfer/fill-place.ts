import type { Tx } from "../../platform/db/database.ts";
import { isKnownSchema, migrate, migrateWithin } from "../../platform/db/migrate.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import { type Connection, connect } from "./connection.ts";
import { type Content, Damaged, measureOf, measuring } from "./content.ts";
import { tableIn, tableOut } from "./copy.ts";
import { copyObject, forEachObject, objectLines } from "./objects.ts";
import type { Place } from "./snapshot.ts";
import { attempts, isUntouched, setSequence, tablesOf, takeLock } from "./store.ts";

/** Objects looked up in one statement. */
const batch = 200;

type Print = (line: string) => void;

/**
 * Fills an empty place: bytes first, each verified by reading it again from its destination; then all rows in one
 * transaction, which ends by comparing both. After an interruption it is called again with content of the same
 * installation and continues; only such an attempt is ever overwritten.
 */
export async function withEmptyPlace<Result>(
  place: Place,
  work: (filling: Filling) => Promise<Result>,
): Promise<Result> {
  await using connection = await connect(place);
  if (!(await takeLock(connection.db, "filling")))
    throw new OperatorError("Another command is already writing to this database.");
  return await work({
    copyObjects: (content, print) => copyObjects(connection, place.storage, content, print),
    copyRows: (content, beforeCommit) => copyRows(connection, place.storage, content, beforeCommit),
  });
}

export interface Filling {
  /** Copies what is missing; may run repeatedly and while the source changes. Refuses a place that is not empty. */
  copyObjects(content: Content, print: Print): Promise<void>;
  /** After its objects. `beforeCommit` is the last chance to abort. */
  copyRows(content: Content, beforeCommit?: () => Promise<void>): Promise<void>;
}

async function claim({ db }: Connection, storage: ObjectStorage, installation: string): Promise<void> {
  const begun = await attempts(db).installation();
  if (begun === installation && (await attempts(db).isComplete())) return;
  if (!(await isUntouched(db)))
    throw new OperatorError("The database is not empty: it has tables. Please name an empty one.");
  if (begun === installation) return;
  if (begun !== undefined)
    throw new OperatorError(
      "The database contains another import that was interrupted: continue that one, or empty the database and storage.",
    );
  for await (const _ of storage.list())
    throw new OperatorError("The storage is not empty: it has objects. Please name an empty one.");
  await db.transaction().execute((tx) => attempts(tx).begin(installation));
}

async function copyObjects(
  connection: Connection,
  storage: ObjectStorage,
  content: Content,
  print: Print,
): Promise<void> {
  const { db, client } = connection;
  if (!isKnownSchema(content.schema))
    throw new OperatorError(
      `Its schema is ${content.schema}, which a later version of Packhouse created. Please use that version.`,
    );
  await claim(connection, storage, content.installation);
  if (await attempts(db).isComplete()) return;
  const attempt = attempts(db);
  await attempt.beginList();
  await tableIn(client, listed, content.readObjectList());
  await attempt.wantListed();
  let copied = 0;
  for (let after = ""; ; ) {
    const wanted = await attempt.unchecked(after, batch);
    await forEachObject(wanted, async (object) => {
      await copyObject(content, storage, object);
    });
    await attempt.setChecked(wanted.map(({ digest }) => digest));
    copied += wanted.length;
    if (wanted.length > 0) print(`${copied} objects copied and verified`);
    if (wanted.length < batch) return;
    after = wanted.at(-1)?.digest ?? after;
  }
}

const listed = { schema: "transfer", name: "listed", columns: ["digest", "size"] };

async function copyRows(
  { db, client }: Connection,
  storage: ObjectStorage,
  content: Content,
  beforeCommit: () => Promise<void> = async () => {},
): Promise<void> {
  // An earlier call was killed after its work was done, before it could report so.
  if (await attempts(db).isComplete()) return attempts(db).end();
  const surplus = await db.transaction().execute(async (tx) => {
    if (!(await isUntouched(tx)))
      throw new OperatorError("Another program has started to use the database in the meantime.");
    await migrateWithin(tx, content.schema);
    await load(tx, client, content);
    await migrateWithin(tx);
    const attempt = attempts(tx);
    await attempt.beginList();
    await tableIn(client, listed, objectLines(storage.list()));
    const missing = await attempt.missing();
    if (missing.length > 0) throw new Damaged(`Records reference missing objects: ${missing.join(", ")}.`);
    const unnamed = await attempt.surplus();
    await attempt.forgetUnnamed();
    await attempt.setComplete();
    await beforeCommit();
    return unnamed;
  });
  await migrate(db);
  for (const digest of surplus) await storage.remove(digest);
  await attempts(db).end();
}

async function load(tx: Tx, client: Connection["client"], content: Content): Promise<void> {
  const made = new Map((await tablesOf(tx)).map((table) => [table.name, table]));
  for (const { name, columns, sequences } of content.tables) {
    const table = made.get(name);
    if (!table) throw new Damaged(`The schema ${content.schema} has no table ${name}.`);
    const { pass, measure } = measuring();
    await tableIn(client, { name, columns }, pass(content.readTable(name)));
    const [read, written] = [measure(), await measureOf(tableOut(client, { ...table, columns }))];
    if (read.rows !== written.rows || read.sha256 !== written.sha256)
      throw new Damaged(`The table ${name} differs from its copy.`);
    for (const sequence of sequences) await setSequence(tx, name, sequence);
    made.delete(name);
  }
  if (made.size > 0) throw new Damaged(`These tables are missing: ${[...made.keys()].join(", ")}.`);
}
