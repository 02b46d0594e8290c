import { createHash } from "node:crypto";
import type { ChangedProperty, eventList } from "@packhouse/contract/events";
import type { FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import type { SecurityEventDetail, SecurityEventType, SecurityResourceType } from "@packhouse/contract/security-events";
import { securityEventType, securityResourceFilter } from "@packhouse/contract/security-events";
import type { Technology } from "@packhouse/contract/technology";
import { type Insertable, type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import { type Found, forcedEmpty } from "../../http/list-query.ts";
import { plainAddress } from "../../platform/client-network.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { findPage, folded, type SortColumns } from "../../platform/db/page.ts";
import type { Database, SecurityEventRow } from "../../platform/db/schema.ts";
import { storedJson } from "../../platform/db/stored-json.ts";
import { userRef } from "../../platform/db/user-ref.ts";
import { type Cursor, isAfter } from "./cursor.ts";
import { settledCounts } from "./settled-counts.ts";
import { securityVisibility, seesAddress } from "./visibility.ts";

export interface SecurityEvent extends SecurityEventRow {
  user: UserRef | null;
  account: UserRef | null;
}

/** A security event as it is written down. */
export interface NewSecurityEvent {
  at: Date;
  type: SecurityEventType;
  detail: SecurityEventDetail;
  userId?: number | undefined;
  accountId?: number | undefined;
  subject?: string | undefined;
  address?: string | undefined;
  resource: SecurityResourceType;
  resourceId: number;
  changed?: readonly ChangedProperty[];
}

/** A file that someone downloaded from a repository that is not open to everybody. */
export interface PrivateDownload {
  userId: number;
  address: string;
  repository: { id: number; technology: Technology };
  /** SHA-256 of the file. */
  digest: string;
  at: Date;
  count: number;
}

type NewRow = Insertable<Database["security_events"]>;

const rowOf = (event: NewSecurityEvent): NewRow => ({
  occurred_on: event.at,
  last_on: event.at,
  event_type: event.type,
  detail: event.detail,
  user_id: event.userId ?? null,
  account_id: event.accountId ?? null,
  subject: event.subject ?? null,
  address: event.address === undefined ? null : plainAddress(event.address),
  resource_type: event.resource,
  resource_id: event.resourceId,
  technology: null,
  repository_id: null,
  package_id: null,
  changed_properties: storedJson([...(event.changed ?? [])].sort((a, b) => (a.property < b.property ? -1 : 1))),
  merge_key: null,
});

/** Events with the same parts become one row. The key is a digest, since the parts may be long. */
export const mergedRow = (
  event: NewSecurityEvent,
  parts: readonly (string | number)[],
): NewRow & { merge_key: string } => ({
  ...rowOf(event),
  merge_key: keyOf(parts),
});

const keyOf = (parts: readonly (string | number)[]): string =>
  createHash("sha256").update(JSON.stringify(parts)).digest("hex");

/** The start of an hour (UTC). */
export const hourOf = (at: Date): Date => new Date(Math.floor(at.getTime() / 3_600_000) * 3_600_000);

const columns: SortColumns<typeof eventList> = {
  id: sql`security_events.id`,
  time: sql`security_events.occurred_on`,
};

/** The same orders without an index, for what a name or an address finds; see `events`. */
const gathered: SortColumns<typeof eventList> = {
  id: sql`(security_events.id + 0)`,
  time: sql`(security_events.occurred_on + interval '0')`,
};

type Query = SelectQueryBuilder<Database, "security_events", object>;

const person = (column: string) =>
  sql<UserRef | null>`(select ${userRef("users")} from users where users.id = ${sql.ref(column)})`;

const select = (query: Query) =>
  query
    .selectAll("security_events")
    .select([person("security_events.user_id").as("user"), person("security_events.account_id").as("account")]);

const typesByFilter = new Map<string, string>(
  Object.entries(securityResourceFilter).map(([type, filter]) => [filter, type]),
);

type EventFilters = FilterValues<typeof eventList>;

/** Whether a list is empty whatever there is, because a filter names something that no security event has. */
const findsNoSecurityEvent = ({ eventType, resourceType }: EventFilters): boolean =>
  eventType?.every((name) => securityEventType.safeParse(name).success) === false ||
  resourceType?.every((name) => typesByFilter.has(name)) === false;

/** Conditions of the caller and of the filters; `own` are those on columns that never change. */
function securityConditions(filters: EventFilters, actor: Actor) {
  const visible = securityVisibility(actor);
  const { technology, eventType, resourceType, fromDate, toDate } = filters;
  const own: RawBuilder<boolean>[] = [];
  if (technology) own.push(sql`security_events.technology = any(${technology})`);
  if (eventType) own.push(sql`security_events.event_type = any(${eventType})`);
  if (resourceType)
    own.push(sql`security_events.resource_type = any(${resourceType.map((name) => typesByFilter.get(name))})`);
  if (fromDate) own.push(sql`security_events.occurred_on >= ${fromDate}`);
  if (toDate) own.push(sql`security_events.occurred_on <= ${toDate}`);
  const related = namedConditions(filters, actor);
  return {
    own,
    related: [...visible.byActor, ...related],
    named: related.length > 0,
    unrestricted: visible.unrestricted,
  };
}

/** Conditions by names and addresses, which change or are removed. */
function namedConditions(filters: EventFilters, actor: Actor): RawBuilder<boolean>[] {
  const { userName, packageName, packageVersion, repositoryName, address } = filters;
  const conditions: RawBuilder<boolean>[] = [];
  if (userName) {
    const names = userName.map((name) => name.toLowerCase());
    const people = sql`array(
      select id from users where ${folded("name")} = any(${names}) or ${folded("login")} = any(${names}))`;
    conditions.push(
      sql`(security_events.user_id = any(${people}) or security_events.account_id = any(${people})
        or ${folded("security_events.subject")} = any(${names}))`,
    );
  }
  if (address) conditions.push(sql`security_events.address = any(${address})`, seesAddress(actor));
  if (repositoryName)
    conditions.push(
      sql`security_events.repository_id = any(array(select id from repositories where name = any(${repositoryName})))`,
    );
  if (packageName) {
    const version = packageVersion ? sql`and version = any(${packageVersion})` : sql``;
    conditions.push(
      sql`security_events.package_id = any(array(select id from packages where name = any(${packageName}) ${version}))`,
    );
  }
  return conditions;
}

export function securityEvents(db: Db | Tx) {
  const count = settledCounts(db, "security_events");
  return {
    async find({ filters, ...query }: ListQuery<typeof eventList>, actor: Actor): Promise<Found<SecurityEvent>> {
      if (findsNoSecurityEvent(filters)) return forcedEmpty();
      const { own, related, named, unrestricted } = securityConditions(filters, actor);
      const settled = unrestricted && !named;
      return findPage({
        tables: db.selectFrom("security_events"),
        conditions: [...related, ...own],
        query: { filters, ...query },
        columns: settled ? columns : gathered,
        id: columns.id,
        select,
        ...(settled ? { count: () => count(JSON.stringify(filters), [...own, sql`true`]) } : {}),
      });
    },

    /** Undefined for an event that the list would not show the same caller. */
    byId: (id: number, actor: Actor): Promise<SecurityEvent | undefined> =>
      select(db.selectFrom("security_events"))
        .where("security_events.id", "=", id)
        .where((where) => where.and(securityVisibility(actor).byActor))
        .executeTakeFirst(),

    /** The next events after a cursor that the list would show, the newest first. */
    async part(
      filters: EventFilters,
      actor: Actor,
      { after, size }: { after: Cursor | undefined; size: number },
    ): Promise<(SecurityEvent & { cursor: string })[]> {
      if (findsNoSecurityEvent(filters)) return [];
      const { own, related } = securityConditions(filters, actor);
      return select(db.selectFrom("security_events"))
        .select(sql<string>`security_events.occurred_on::text`.as("cursor"))
        .where((where) => where.and([...related, ...own, ...(after ? [isAfter("security_events", after)] : [])]))
        .orderBy("occurred_on", "desc")
        .orderBy("id")
        .limit(size)
        .execute();
    },

    async add(event: NewSecurityEvent): Promise<void> {
      await db.insertInto("security_events").values(rowOf(event)).execute();
    },

    /** Adds to the row with the same key, if there is one. An update comes first: inserts use up ids even in vain. */
    async merge(row: NewRow & { merge_key: string }): Promise<void> {
      const added = {
        count: sql<number>`security_events.count + 1`,
        last_on: sql<Date>`greatest(security_events.last_on, ${row.last_on})`,
      };
      const { numUpdatedRows } = await db
        .updateTable("security_events")
        .set(added)
        .where("merge_key", "=", row.merge_key)
        .executeTakeFirst();
      if (numUpdatedRows > 0n) return;
      await db
        .insertInto("security_events")
        .values(row)
        .onConflict((conflict) => conflict.column("merge_key").doUpdateSet(added))
        .execute();
    },

    /** How many rows of failed sign-ins an hour has, and whether the one with this key is among them. */
    async failuresOfHour(at: Date, address: string, key: string) {
      const { rows } = await sql<{ all: number; ofAddress: number; known: boolean }>`
        select count(*) as "all", count(*) filter (where address = ${address}) as "ofAddress",
          coalesce(bool_or(merge_key = ${key}), false) as known
        from security_events where event_type = 'signInFailed' and occurred_on >= ${hourOf(at)}
          and occurred_on < ${new Date(hourOf(at).getTime() + 3_600_000)}`.execute(db);
      return rows[0] ?? { all: 0, ofAddress: 0, known: false };
    },

    /** How many addresses of an access token a day has brought, and whether this one is known from any time. */
    async addressesOfToken(at: Date, tokenId: number, key: string) {
      const { rows } = await sql<{ all: number; known: boolean }>`
        select exists (select from security_events where merge_key = ${key}) as known,
          (select count(*) from security_events where event_type = 'tokenUse' and resource_id = ${tokenId}
            and occurred_on >= ${new Date(at.getTime() - 24 * 3_600_000)}) as "all"`.execute(db);
      return rows[0] ?? { all: 0, known: false };
    },

    async addDownloads(files: readonly PrivateDownload[]): Promise<void> {
      const keys = files.map(({ userId, repository, digest, at }) =>
        keyOf(["download", userId, repository.id, digest, hourOf(at).toISOString()]),
      );
      await sql`
        with file as (
          select * from unnest(${files.map(({ at }) => at.toISOString())}::timestamptz[],
            ${files.map((it) => it.count)}::int[], ${files.map((it) => it.userId)}::int[],
            ${files.map((it) => it.address)}::text[], ${files.map((it) => it.repository.id)}::int[],
            ${files.map((it) => it.repository.technology)}::text[], ${files.map((it) => it.digest)}::text[],
            ${keys}::text[]) as file(at, count, user_id, address, repository_id, technology, digest, key)
        ), added as (
          update security_events set count = security_events.count + file.count,
            last_on = greatest(security_events.last_on, file.at)
          from file where security_events.merge_key = file.key
          returning security_events.merge_key
        )
        insert into security_events (occurred_on, last_on, count, event_type, detail, user_id, account_id, address,
          resource_type, resource_id, technology, repository_id, package_id, changed_properties, merge_key)
        select file.at, file.at, file.count, 'download', 'file', file.user_id, file.user_id, file.address,
          'PACKAGE', package.id, file.technology, file.repository_id, package.id, '[]', file.key
        from file
        cross join lateral (
          select id from packages
          where packages.repository_id = file.repository_id and packages.digest = file.digest
          order by active desc, id desc limit 1
        ) as package
        where file.key not in (select merge_key from added)
        order by file.key
        on conflict (merge_key) do update set count = security_events.count + excluded.count,
          last_on = greatest(security_events.last_on, excluded.last_on)`.execute(db);
    },
  };
}
