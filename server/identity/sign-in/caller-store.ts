import { sql } from "kysely";
import type { IdentityDeps } from "../deps.ts";
import type { goesOn } from "../sessions/current-session.ts";

type SessionCondition = ReturnType<typeof goesOn>;

/** Users who may make calls, by their credentials. Deactivated, deleted and expired users are not found. */
export function callers({ db, clock }: Pick<IdentityDeps, "db" | "clock">) {
  const now = clock();
  /** Includes the records that matter for their roles. */
  const people = () =>
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

  const bySession = (whichGoOn: SessionCondition) =>
    people()
      .innerJoin("sessions", "sessions.user_id", "users.id")
      .select(["sessions.id as session_id", "sessions.last_used_on", "sessions.address"])
      .where(whichGoOn);
  const byAccessToken = () =>
    people()
      .innerJoin("access_tokens", "access_tokens.user_id", "users.id")
      .select(["access_tokens.id as token_id", "access_tokens.last_used_on"])
      .where("access_tokens.active", "=", true)
      .where("access_tokens.expires_on", ">=", now);

  return {
    byId: (id: number) => people().where("users.id", "=", id).executeTakeFirst(),

    bySession: (token: { sessionKey: string; userId: number }, whichGoOn: SessionCondition) =>
      bySession(whichGoOn)
        .where("sessions.key", "=", token.sessionKey)
        .where("users.id", "=", token.userId)
        .executeTakeFirst(),

    bySessionId: (id: number, whichGoOn: SessionCondition) =>
      bySession(whichGoOn).where("sessions.id", "=", id).executeTakeFirst(),

    byAccessToken: (hash: string) => byAccessToken().where("access_tokens.value_hash", "=", hash).executeTakeFirst(),

    byAccessTokenId: (id: number) => byAccessToken().where("access_tokens.id", "=", id).executeTakeFirst(),

    async noteTokenUse(tokenId: number, at: Date): Promise<void> {
      await db.updateTable("access_tokens").set({ last_used_on: at }).where("id", "=", tokenId).execute();
    },
  };
}
