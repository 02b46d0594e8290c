import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Db, openDatabase } from "@packhouse/server/platform/db/database";
import { startEmbeddedPostgres } from "@packhouse/server/platform/db/embedded/embedded-postgres";
import { migrations } from "@packhouse/server/platform/db/migrate";
import { type Migration, runMigrations } from "@packhouse/server/platform/db/run-migrations";
import { type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { type Amounts, createManyRecords, largeOrganization } from "@packhouse/server/testing/records/many-records";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { sql } from "kysely";
import { pino } from "pino";

const replicas = 5;
const password = "bench-password";
const amounts: Amounts = {
  ...largeOrganization,
  packages: Number(process.env.BENCH_PACKAGES ?? largeOrganization.packages),
  events: Number(process.env.BENCH_EVENTS ?? largeOrganization.events),
};

/** The last one that the old database has. */
const lastOfOld = "2026-11-21-record-lists";
const old = Object.fromEntries(Object.entries(migrations).filter(([name]) => name <= lastOfOld));

/** What a later version may do to the largest tables: one of each kind, as the guide for contributors has them. */
const next: Record<string, Migration> = {
  "2099-01-01-add": {
    async up(db) {
      await sql`alter table packages add column note text`.execute(db);
      await sql`alter table events add column noted boolean not null default false`.execute(db);
      await sql`alter table packages add constraint note_short check (length(note) < 100) not valid`.execute(db);
    },
  },
  "2099-01-02-fill": {
    transaction: false,
    async up(db) {
      const fillAfter = async (id: number): Promise<number | undefined> => {
        const { rows } = await sql<{ id: number }>`
          with batch as (select id from packages where id > ${id} order by id limit 1000), filled as (
            update packages set note = 'Note on ' || name from batch where packages.id = batch.id and note is null
          )
          select id from batch order by id desc limit 1`.execute(db);
        return rows[0]?.id;
      };
      for (let last = await fillAfter(0); last !== undefined; ) last = await fillAfter(last);
    },
  },
  "2099-01-03-index": {
    transaction: false,
    async up(db) {
      await sql`drop index concurrently if exists events_noted`.execute(db);
      await sql`create index concurrently if not exists events_noted on events (id) where noted`.execute(db);
      await sql`drop index concurrently if exists packages_note`.execute(db);
      await sql`create index concurrently if not exists packages_note on packages (note)`.execute(db);
      await sql`alter table packages validate constraint note_short`.execute(db);
    },
  },
};

/** Records how long each run takes. */
const timedMigration = (name: string, migration: Migration, times: string[]): Migration => ({
  ...migration,
  async up(db) {
    const started = performance.now();
    await migration.up(db);
    times.push(`  ${name}: ${seconds(started)} s`);
  },
});

/** Does something over and over, and keeps the time of the slowest turn. */
function client(turn: (n: number) => Promise<unknown>): { stop(): Promise<{ turns: number; longestMs: number }> } {
  let going = true;
  let [turns, longestMs] = [0, 0];
  const done = (async () => {
    while (going) {
      const started = performance.now();
      await turn(turns);
      longestMs = Math.max(longestMs, performance.now() - started);
      turns += 1;
      await sleep(20);
    }
  })();
  // A turn that fails fails the whole: the previous version must not notice anything.
  done.catch(() => {});
  return {
    async stop() {
      going = false;
      await done;
      return { turns, longestMs };
    },
  };
}

const seconds = (sinceMs: number) => ((performance.now() - sinceMs) / 1000).toFixed(1);

/** A large database of an old version is migrated to this version, and then to a possible later one, while it is in use. */
export async function upgrade(): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-upgrade-"));
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, "database"), log: pino({ level: "silent" }) });
  const { host, user, database: name } = postgres.connection;
  const database = openDatabase(postgres.connection);
  const url = `postgres:///${name}?${new URLSearchParams({ user, host })}`;
  let products: Product[] = [];
  try {
    await runMigrations({ db: database.db, migrations: old, version: "0.1.0" });
    await createManyRecords(database.db, amounts);
    const lines = [
      `${amounts.packages} packages, ${amounts.events} events, ${Object.keys(old).length} migrations done`,
    ];

    const start = () =>
      startProduct({
        dataDir: join(folder, "data"),
        environment: {
          PACKHOUSE_DATABASE_URL: url,
          PACKHOUSE_PEOPLE: JSON.stringify([{ login: "upgrader", role: "admin", password }]),
        },
      });
    const reader = client(() => readAsBefore(database.db));
    const writer = client((n) => writeAsBefore(database.db, n));
    const times: string[] = [];
    const timed = Object.fromEntries(
      Object.entries(migrations).map(([name, migration]) => [name, timedMigration(name, migration, times)]),
    );
    let started = performance.now();
    await Promise.all(
      Array.from({ length: replicas }, async () => {
        const own = openDatabase(postgres.connection);
        await runMigrations({ db: own.db, migrations: timed, version: "0.1.0" }).finally(() => own.close());
      }),
    );
    const migrated = seconds(started);
    const [reads, writes] = [await reader.stop(), await writer.stop()];
    lines.push(
      `${replicas} replicas migrated at once: ${migrated} s; the longest of ${reads.turns} reads beside it ${reads.longestMs.toFixed(0)} ms, the longest of ${writes.turns} changes ${writes.longestMs.toFixed(0)} ms`,
      ...times,
    );
    await expectMigrated(database.db, Object.keys(migrations), writes.turns);

    started = performance.now();
    products = await Promise.all(Array.from({ length: replicas }, start));
    lines.push(`${replicas} replicas, started at once: ${seconds(started)} s until all answered`);
    const [first, ...others] = products;
    if (!first) throw new Error("no replica runs");
    await Promise.all(others.map((product) => product.kill("SIGTERM")));
    lines.push(...(await toNext(database.db, first)));

    started = performance.now();
    const again = await start();
    lines.push(`a later start, from the command to the first answer: ${seconds(started)} s`);
    products.push(again);
    started = performance.now();
    await sql`analyze`.execute(database.db);
    lines.push(`analyse of everything, which only a start that migrated does: ${seconds(started)} s`);
    return lines;
  } finally {
    await Promise.all(products.map((product) => product.kill("SIGTERM")));
    await database.close();
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A page of a list, as the version of that database reads it. */
const readAsBefore = (db: Db) =>
  sql`
    select packages.*, submissions.state from packages
    join submissions on submissions.package_id = packages.id
    where not packages.deleted order by packages.name, packages.version_order desc, packages.id limit 50`.execute(db);

/** A change with its event, in the columns that that version knows. */
const writeAsBefore = (db: Db, n: number) =>
  db.transaction().execute(async (tx) => {
    await sql`update packages set title = ${`Title ${n}`} where id = (select min(id) + ${n} from packages)`.execute(tx);
    await sql`
      insert into events (occurred_on, user_id, event_type, resource_type, resource_id, changed_properties, description)
      select '2026-11-01', min(id), 'update', 'PACKAGE', ${n}, '[]', 'Changed beside the upgrade.' from users`.execute(
      tx,
    );
  });

async function expectMigrated(db: Db, names: readonly string[], changes: number): Promise<void> {
  const { rows } = await sql<{ name: string }>`select name from kysely_migration order by name`.execute(db);
  expectEqual("migrations", rows.map(({ name }) => name).join(), names.toSorted().join());
  const count = async (what: string, query: ReturnType<typeof sql<{ n: number }>>, expected: number) =>
    expectEqual(what, (await query.execute(db)).rows[0]?.n, expected);
  await count("packages", sql`select count(*) as n from packages where name like 'package%'`, amounts.packages);
  await count(
    "events",
    sql`select count(*) as n from events where description = 'Something happened.'`,
    amounts.events,
  );
  const duringUpgrade = sql<{
    n: number;
  }>`select count(*) as n from events where description = 'Changed beside the upgrade.'`;
  await count("events of the changes beside it", duringUpgrade, changes);
  const titles = sql<{ n: number }>`select count(*) as n from packages where title ~ '^Title [0-9]+$'`;
  await count("changed packages", titles, Math.min(changes, amounts.packages));
  const unread = sql<{ n: number }>`
    select count(*) as n from packages where technology = 'R' and not dependency_names @> '{stats,utils}'`;
  await count("R packages without their dependencies", unread, 0);
  await count("invalid indexes", sql`select count(*) as n from pg_index where not indisvalid`, 0);
  await expectIndex(
    db,
    "packages_dependency_names",
    sql`select id from packages where active and not deleted and dependency_names @> '{nobody}'`,
  );
}

/** The product as it is reads and takes uploads while a later version migrates. */
async function toNext(db: Db, product: Product): Promise<string[]> {
  const administrator = await signIn(product, "upgrader", password);
  await administrator.createRepository("R", "beside");
  let uploads = 0;
  const clients = () => [
    client(async () => {
      await administrator.call("GET", "/packages?sort=name,asc&size=50");
      await administrator.call("GET", "/events?size=50");
    }),
    client(async () => {
      await administrator.upload("R", "beside", await smallRPackage(`beside${uploads}`, "1.0.0"));
      uploads += 1;
    }),
  ];
  // Pauses are compared with the times at rest, on the same machine and under the same load.
  const atRest = clients();
  await sleep(20_000);
  const [restingLists, restingUploads] = await Promise.all(atRest.map((one) => one.stop()));
  const duringMigration = clients();
  const started = performance.now();
  await runMigrations({ db, migrations: { ...migrations, ...next }, version: "0.1.0" });
  const took = seconds(started);
  const [lists, uploadTimes] = await Promise.all(duringMigration.map((one) => one.stop()));
  const uploaded = sql<{ n: number }>`select count(*) as n from packages where name like 'beside%' and active`;
  expectEqual("uploads beside it", (await uploaded.execute(db)).rows[0]?.n, uploads);
  const invalid = sql<{ n: number }>`select count(*) as n from pg_index where not indisvalid`;
  expectEqual("invalid indexes", (await invalid.execute(db)).rows[0]?.n, 0);
  await expectIndex(db, "packages_note", sql`select id from packages where note = 'Note on package7'`);
  const longest = (of: { longestMs: number } | undefined) => `${of?.longestMs.toFixed(0)} ms`;
  return [
    `columns, batches and indexes of a later version, while this one serves: ${took} s`,
    `  the longest of ${lists?.turns} pairs of lists ${longest(lists)}, at rest ${longest(restingLists)}`,
    `  the longest of ${uploadTimes?.turns} uploads with publication ${longest(uploadTimes)}, at rest ${longest(restingUploads)}`,
  ];
}

async function expectIndex(db: Db, index: string, query: ReturnType<typeof sql>): Promise<void> {
  const { rows } = await sql<{ "QUERY PLAN": string }>`explain ${query}`.execute(db);
  const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
  if (!plan.includes(index)) throw new Error(`The index ${index} is not used:\n${plan}`);
}

function expectEqual(what: string, found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`${what}: ${String(found)} where ${String(expected)} were expected`);
}
