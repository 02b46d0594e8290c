import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { migrationTables } from "../../platform/db/migrate.ts";
import { namedObjectsQuery } from "../../platform/storage/named-object-store.ts";

/** A table as described by the database's own catalog, so that new ones are carried over without being listed. */
export interface Table {
  name: string;
  columns: readonly string[];
  /** What its rows are sorted by: the primary key, texts by code point. */
  order: readonly string[];
  /** Tables referenced by its foreign keys. */
  references: readonly string[];
  sequences: readonly Sequence[];
}

/** The next number of a column: ids of purged records are never reused, because events refer to them. */
export interface Sequence {
  column: string;
  next: number;
}

const namedObjects = sql.raw(namedObjectsQuery);

/**
 * Failed sign-ins slow down password guessing for some minutes. A session that has ended since, or a used link, must
 * not come back with a backup; nor must a sign-in that waits for its second step. A copy must not repeat mail. Counts
 * are made again by the triggers of what they count.
 */
const leftBehind = [
  ...migrationTables,
  "sign_in_failures",
  "sessions",
  "password_links",
  "second_factor_continuations",
  "second_factor_attempts",
  "mail_notices",
  "package_counts",
];

/** All tables that are carried over, referenced ones first. */
export async function tablesOf(db: Db | Tx): Promise<Table[]> {
  const { rows } = await sql<Omit<Table, "sequences">>`
    select relname::text as name,
      array(
        select attname::text from pg_attribute
        where attrelid = pg_class.oid and attnum > 0 and not attisdropped and attgenerated = '' order by attnum
      ) as columns,
      array(
        select quote_ident(attname) || case when attcollation <> 0 then ' collate "C"' else '' end
        from pg_index cross join unnest(indkey) with ordinality as key (attnum, place)
        join pg_attribute on attrelid = indrelid and pg_attribute.attnum = key.attnum
        where indrelid = pg_class.oid and indisprimary order by place
      ) as order,
      array(
        select distinct confrelid::regclass::text from pg_constraint
        where conrelid = pg_class.oid and contype = 'f' and confrelid <> conrelid
      ) as references
    from pg_class
    where relnamespace = current_schema()::regnamespace and relkind = 'r' and relname <> all(${leftBehind}::text[])
    order by name`.execute(db);
  const sequences = await sequencesOf(db);
  return inOrder(rows).map((table) => ({
    ...table,
    sequences: sequences.filter((one) => one.table === table.name).map(({ column, next }) => ({ column, next })),
  }));
}

export function tableOf(tables: readonly Table[], name: string): Table {
  const table = tables.find((one) => one.name === name);
  if (!table) throw new Error(`no table ${name}`);
  return table;
}

async function sequencesOf(db: Db | Tx): Promise<(Sequence & { table: string })[]> {
  const { rows } = await sql<Sequence & { table: string }>`
    select relname::text as table, attname::text as column,
      coalesce(pg_sequence_last_value(pg_get_serial_sequence(quote_ident(relname), attname)::regclass), 0) + 1 as next
    from pg_class join pg_attribute on attrelid = pg_class.oid and attidentity <> ''
    where relnamespace = current_schema()::regnamespace and relkind = 'r'`.execute(db);
  return rows;
}

export async function setSequence(tx: Tx, table: string, { column, next }: Sequence): Promise<void> {
  if (next === 1) return;
  // As if the number before had been given out: an unused sequence does not report its position.
  await sql`
    select setval(pg_get_serial_sequence(quote_ident(${table}), ${column})::regclass, ${next - 1}, true)`.execute(tx);
}

function inOrder<Named extends { name: string; references: readonly string[] }>(tables: readonly Named[]): Named[] {
  const left = new Map(tables.map((table) => [table.name, table]));
  const sorted: Named[] = [];
  while (left.size > 0) {
    const ready = [...left.values()].filter(({ references }) => !references.some((name) => left.has(name)));
    if (ready.length === 0) throw new Error(`tables that name each other: ${[...left.keys()].join(", ")}`);
    for (const table of ready) left.delete(table.name);
    sorted.push(...ready);
  }
  return sorted;
}

/** Whether the database holds nothing yet. */
export async function isUntouched(db: Db | Tx): Promise<boolean> {
  const { rows } = await sql`
    select from pg_class where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p') limit 1`.execute(
    db,
  );
  return rows.length === 0;
}

/** Identifies copies of one installation: the time when its first user was created, which never changes. */
export async function installationOf(db: Db | Tx): Promise<string> {
  const { rows } = await sql<{ installation: string }>`
    select encode(sha256(convert_to(id || ' ' || extract(epoch from created_on), 'UTF8')), 'hex') as installation
    from users order by id limit 1`.execute(db);
  return rows[0]?.installation ?? "nobody";
}

/** Waits for changes in progress, then locks all rows against changes until the transaction ends. */
export async function holdChanges(db: Db, tables: readonly Table[]): Promise<void> {
  await sql`lock table ${sql.join(tables.map(({ name }) => sql.table(name)))} in share mode`.execute(db);
}

const advisoryLock = (name: string) => sql`hashtext(${`packhouse ${name}`})`;

/** How long a killed process may still hold its lock. */
const timeoutMs = 10_000;

/** Held until the connection ends; false when another process has it. */
export async function takeLock(db: Db, name: "backup" | "filling"): Promise<boolean> {
  for (const deadline = Date.now() + timeoutMs; ; await sleep(250)) {
    if (await tryLock(db, name)) return true;
    if (Date.now() > deadline) return false;
  }
}

async function tryLock(db: Db, name: string): Promise<boolean> {
  const { rows } = await sql<{ taken: boolean }>`select pg_try_advisory_lock(${advisoryLock(name)}) as taken`.execute(
    db,
  );
  return rows[0]?.taken === true;
}

/** The state of an attempt to fill an empty place. It is kept in that place's database and removed on completion. */
export const attempts = (db: Db | Tx) => ({
  /** The installation to fill it with. */
  async installation(): Promise<string | undefined> {
    const { rows: known } = await sql`select from pg_namespace where nspname = 'transfer'`.execute(db);
    if (known.length === 0) return undefined;
    const { rows } = await sql<{ installation: string }>`select installation from transfer.attempt`.execute(db);
    return rows[0]?.installation;
  },
  /** In the transaction that inserts the rows. */
  async setComplete(): Promise<void> {
    await sql`update transfer.attempt set complete = true`.execute(db);
  },
  async isComplete(): Promise<boolean> {
    const { rows } = await sql<{ complete: boolean }>`select complete from transfer.attempt`.execute(db);
    return rows[0]?.complete === true;
  },
  /** In a transaction. */
  async begin(installation: string): Promise<void> {
    await sql`create schema transfer`.execute(db);
    await sql`create table transfer.attempt (installation text not null, complete boolean not null)`.execute(db);
    await sql`insert into transfer.attempt values (${installation}, false)`.execute(db);
    await sql`
      create table transfer.objects (
        digest text collate "C" primary key, size bigint not null, checked boolean not null default false
      )`.execute(db);
  },
  /** Before the lines of a list are copied into `transfer.listed`. */
  async beginList(): Promise<void> {
    await sql`drop table if exists transfer.listed`.execute(db);
    await sql`create table transfer.listed (digest text collate "C", size bigint)`.execute(db);
  },
  async wantListed(): Promise<void> {
    // The source may have removed since what an earlier attempt needed.
    await sql`
      delete from transfer.objects where not checked
      and not exists (select from transfer.listed where listed.digest = objects.digest)`.execute(db);
    await sql`
      insert into transfer.objects (digest, size) select digest, size from transfer.listed
      on conflict (digest) do nothing`.execute(db);
  },
  async unchecked(after: string, most: number): Promise<{ digest: string; size: number }[]> {
    const { rows } = await sql<{ digest: string; size: number }>`
      select digest, size from transfer.objects where not checked and digest > ${after}
      order by digest limit ${most}`.execute(db);
    return rows;
  },
  async setChecked(digests: readonly string[]): Promise<void> {
    await sql`update transfer.objects set checked = true where digest = any(${digests})`.execute(db);
  },
  /** Objects that rows name and that were not verified, or are not listed with their size. */
  async missing(): Promise<string[]> {
    const { rows } = await sql<{ digest: string }>`
      select digest from (${namedObjects}) as named where not exists (
        select from transfer.listed join transfer.objects using (digest, size)
        where listed.digest = named.digest and listed.size = named.size and checked
      ) limit 10`.execute(db);
    return rows.map(({ digest }) => digest);
  },
  /** Listed objects that no row names: the source removed them after an earlier attempt had copied them. */
  async surplus(): Promise<string[]> {
    const { rows } = await sql<{ digest: string }>`
      select digest from transfer.listed except select digest from (${namedObjects}) as named`.execute(db);
    return rows.map(({ digest }) => digest);
  },
  /** Bytes that no row names were not copied. */
  async forgetUnnamed(): Promise<void> {
    await sql`
      delete from objects where not exists (
        select from (${namedObjects}) as named where named.digest = objects.digest
      )`.execute(db);
  },
  async end(): Promise<void> {
    await sql`drop schema transfer cascade`.execute(db);
  },
});
