import type { eventList } from "@packhouse/contract/events";
import type { FilterValues, ListQuery } from "@packhouse/contract/list-contract";
import type { UserRef } from "@packhouse/contract/references";
import { securityEventType, securityResourceFilter } from "@packhouse/contract/security-events";
import { type SelectQueryBuilder, sql } from "kysely";
import type { Actor } from "../../http/actor.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { type Found, forcedEmpty } from "../../platform/db/pages/found.ts";
import { appliedBy, conditionsOf, type FilterConditions, folded, pagedList } from "../../platform/db/pages/page.ts";
import { userRef } from "../../platform/db/pages/user-ref.ts";
import type { Database, SecurityEventRow } from "../../platform/db/schema.ts";
import { type Cursor, isAfter } from "./cursor-store.ts";
import { eventColumns } from "./event-columns-store.ts";
import { stableCounts } from "./event-count-store.ts";
import { securityVisibility, seesAddress } from "./visibility-store.ts";

export interface SecurityEvent extends SecurityEventRow {
  user: UserRef | null;
  account: UserRef | null;
}

const { columns, gathered, ownFilters, findsNothing } = eventColumns("security_events", {
  types: securityEventType,
  resources: securityResourceFilter,
});

type Query = SelectQueryBuilder<Database, "security_events", object>;

const person = (column: string) =>
  sql<UserRef | null>`(select ${userRef("users")} from users where users.id = ${sql.ref(column)})`;

const select = (query: Query) =>
  query
    .selectAll("security_events")
    .select([person("security_events.user_id").as("user"), person("security_events.account_id").as("account")]);

/** Filters by names and addresses, which change or are removed. */
const namedFilters = (actor: Actor): Omit<FilterConditions<typeof eventList>, keyof typeof ownFilters> => ({
  userName: (given) => {
    const names = given.map((name) => name.toLowerCase());
    const people = sql`array(
      select id from users where ${folded("name")} = any(${names}) or ${folded("login")} = any(${names}))`;
    return sql`(security_events.user_id = any(${people}) or security_events.account_id = any(${people})
      or ${folded("security_events.subject")} = any(${names}))`;
  },
  packageName: (names, { packageVersion }) => {
    const version = packageVersion ? sql`and version = any(${packageVersion})` : sql``;
    return sql`security_events.package_id = any(array(select id from packages where name = any(${names}) ${version}))`;
  },
  packageVersion: appliedBy("packageName"),
  repositoryName: (names) =>
    sql`security_events.repository_id = any(array(select id from repositories where name = any(${names})))`,
  address: (addresses) => sql`security_events.address = any(${addresses}) and ${seesAddress(actor)}`,
  purged: appliedBy("nothing: purges do not mark security events"),
  security: appliedBy("the route, which chooses the store"),
});

const list = { tables: (db: Db | Tx) => db.selectFrom("security_events"), id: columns.id, select };
const page = pagedList<typeof eventList, "security_events", SecurityEvent>({ ...list, columns });
const gatheredPage = pagedList<typeof eventList, "security_events", SecurityEvent>({ ...list, columns: gathered });

export function securityEvents(db: Db | Tx) {
  const count = stableCounts(db, "security_events");
  return {
    async find({ filters, ...query }: ListQuery<typeof eventList>, actor: Actor): Promise<Found<SecurityEvent>> {
      if (findsNothing(filters)) return forcedEmpty();
      const visible = securityVisibility(actor);
      const named = namedFilters(actor);
      const own = conditionsOf<typeof eventList>(ownFilters, filters);
      const stable = visible.unrestricted && conditionsOf(named, filters).length === 0;
      const asked = {
        db,
        query: { filters, ...query },
        filters: { ...ownFilters, ...named },
        conditions: visible.byActor,
      };
      if (!stable) return gatheredPage(asked);
      return page({ ...asked, count: () => count(JSON.stringify(filters), [...own, sql`true`]) });
    },

    /** Undefined for an event that the list would not show the same caller. */
    byId: (id: number, actor: Actor): Promise<SecurityEvent | undefined> =>
      select(db.selectFrom("security_events"))
        .where("security_events.id", "=", id)
        .where((where) => where.and(securityVisibility(actor).byActor))
        .executeTakeFirst(),

    /** The next events after a cursor that the list would show, newest first. */
    async part(
      filters: FilterValues<typeof eventList>,
      actor: Actor,
      { after, size }: { after: Cursor | undefined; size: number },
    ): Promise<(SecurityEvent & { cursor: string })[]> {
      if (findsNothing(filters)) return [];
      const conditions = [
        ...securityVisibility(actor).byActor,
        ...conditionsOf<typeof eventList>({ ...ownFilters, ...namedFilters(actor) }, filters),
        ...(after ? [isAfter("security_events", after)] : []),
      ];
      return select(db.selectFrom("security_events"))
        .select(sql<string>`security_events.occurred_on::text`.as("cursor"))
        .where((where) => where.and(conditions))
        .orderBy("occurred_on", "desc")
        .orderBy("id")
        .limit(size)
        .execute();
    },
  };
}

/** Removes expired data from security events, at most so many rows at a time; each returns how many it changed. */
export function securityPruneStore(db: Db) {
  return {
    remove: async (until: Date, most: number): Promise<bigint | undefined> =>
      (
        await sql`
          delete from security_events where id in (
            select id from security_events where occurred_on < ${until} order by occurred_on limit ${most}
            for update skip locked)`.execute(db)
      ).numAffectedRows,

    /** Removes addresses and logins. */
    anonymize: async (until: Date, most: number): Promise<bigint | undefined> =>
      (
        await sql`
          update security_events set address = null, subject = null, merge_key = null where id in (
            select id from security_events
            where (address is not null or subject is not null) and last_on < ${until}
            order by last_on limit ${most} for update skip locked)`.execute(db)
      ).numAffectedRows,
  };
}
