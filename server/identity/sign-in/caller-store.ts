import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { AccessTokenRow, SessionRow, UserRow } from "../../platform/db/schema.ts";
import { builtOnce } from "../../platform/db/statements/built-once.ts";
import type { IdentityDeps } from "../deps.ts";
import type { SessionLimits } from "../sessions/current-session.ts";
import { goesOn } from "../sessions/store.ts";

/** Users who may make calls, with the records that matter for their roles. */
const people = (db: Db | Tx, now: RawBuilder<Date>) =>
  db
    .selectFrom("users")
    .select(["users.id", "login", "users.name", "email", "rank", "groups", "session_epoch"])
    .select(
      sql<number[]>`case when rank = 2 then array(
        select repository_id from repository_maintainers where user_id = users.id and not deleted) else '{}' end`.as(
        "maintained_repositories",
      ),
    )
    .select(
      sql<{ r: number; n: string }[]>`case when rank = 1 then (
        select coalesce(json_agg(json_build_object('r', repository_id, 'n', normalized_name)), '[]')
        from package_maintainers where user_id = users.id and not deleted) else '[]' end`.as("maintained_packages"),
    )
    .where("users.active", "=", true)
    .where("users.deleted", "=", false)
    .where((where) => where.or([where("users.expires_on", "is", null), where("users.expires_on", ">", now)]));

interface AtTime {
  now: Date;
}
interface Person extends Pick<UserRow, "id" | "login" | "name" | "email" | "rank" | "groups" | "session_epoch"> {
  maintained_repositories: number[];
  maintained_packages: { r: number; n: string }[];
}
type SessionUser = Person & Pick<SessionRow, "last_used_on" | "address"> & { session_id: number };
type TokenUser = Person & Pick<AccessTokenRow, "last_used_on"> & { token_id: number };

const inSessions = (db: Db | Tx, limits: { [Limit in keyof SessionLimits]: RawBuilder<Date> }) =>
  people(db, limits.now)
    .innerJoin("sessions", "sessions.user_id", "users.id")
    .select(["sessions.id as session_id", "sessions.last_used_on", "sessions.address"])
    .where(goesOn(limits));

const withTokens = (db: Db | Tx, now: RawBuilder<Date>) =>
  people(db, now)
    .innerJoin("access_tokens", "access_tokens.user_id", "users.id")
    .select(["access_tokens.id as token_id", "access_tokens.last_used_on"])
    .where("access_tokens.active", "=", true)
    .where("access_tokens.expires_on", ">=", now);

const byId = builtOnce<AtTime & { id: number }, Person>((db, value) =>
  people(db, value("now")).where("users.id", "=", value("id")),
);
const bySession = builtOnce<SessionLimits & { sessionKey: string; userId: number }, SessionUser>((db, value) =>
  inSessions(db, { now: value("now"), idleSince: value("idleSince") })
    .where("sessions.key", "=", value("sessionKey"))
    .where("users.id", "=", value("userId")),
);
const bySessionId = builtOnce<SessionLimits & { id: number }, SessionUser>((db, value) =>
  inSessions(db, { now: value("now"), idleSince: value("idleSince") }).where("sessions.id", "=", value("id")),
);
const byAccessToken = builtOnce<AtTime & { hash: string }, TokenUser>((db, value) =>
  withTokens(db, value("now")).where("access_tokens.value_hash", "=", value("hash")),
);
const byAccessTokenId = builtOnce<AtTime & { id: number }, TokenUser>((db, value) =>
  withTokens(db, value("now")).where("access_tokens.id", "=", value("id")),
);

/** Users who may make calls, by their credentials. Deactivated, deleted and expired users are not found. */
export function callers({ db, clock }: Pick<IdentityDeps, "db" | "clock">) {
  const now = clock();
  return {
    byId: async (id: number) => (await byId(db, { now, id }))[0],

    bySession: async (token: { sessionKey: string; userId: number }, limits: SessionLimits) =>
      (await bySession(db, { ...limits, sessionKey: token.sessionKey, userId: token.userId }))[0],

    bySessionId: async (id: number, limits: SessionLimits) => (await bySessionId(db, { ...limits, id }))[0],

    byAccessToken: async (hash: string) => (await byAccessToken(db, { now, hash }))[0],

    byAccessTokenId: async (id: number) => (await byAccessTokenId(db, { now, id }))[0],

    async noteTokenUse(tokenId: number, at: Date): Promise<void> {
      await db.updateTable("access_tokens").set({ last_used_on: at }).where("id", "=", tokenId).execute();
    },
  };
}
