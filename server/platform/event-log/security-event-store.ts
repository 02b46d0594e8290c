import { createHash } from "node:crypto";
import type { ChangedProperty } from "@packhouse/contract/events";
import type { SecurityEventDetail, SecurityEventType, SecurityResourceType } from "@packhouse/contract/security-events";
import type { Technology } from "@packhouse/contract/technology";
import { type Insertable, sql } from "kysely";
import { plainAddress } from "../client-network.ts";
import type { Db, Tx } from "../db/database.ts";
import type { Database } from "../db/schema.ts";
import { storedJson } from "../db/stored-json.ts";

/** A security event as it is recorded. */
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

/** A file downloaded from a restricted repository. */
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

/** Writes security events; `features/events` reads them. */
export function securityEventStore(db: Db | Tx) {
  return {
    async add(event: NewSecurityEvent): Promise<void> {
      await db.insertInto("security_events").values(rowOf(event)).execute();
    },

    /** Adds to the row with the same key, if there is one. Tries an update first: even failed inserts consume ids. */
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

    /** How many new addresses of an access token a day has, and whether this one is already known. */
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
