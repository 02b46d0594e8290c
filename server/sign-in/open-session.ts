import type { Session } from "@packhouse/contract/login";
import { roleOfRank } from "@packhouse/contract/roles";
import type { Deps } from "../deps.ts";
import { Refusal } from "../http/refusal.ts";

/**
 * Signs in a user who has proved everything that a sign-in takes. What was proved before a change of password or a
 * deactivation does not count any more.
 */
export async function openSession(
  deps: Pick<Deps, "db" | "clock" | "sessions">,
  { userId, sessionEpoch }: { userId: number; sessionEpoch: number },
): Promise<Session> {
  const now = deps.clock();
  const user = await deps.db
    .updateTable("users")
    .set((row) => ({ previous_signed_in_on: row.ref("last_signed_in_on"), last_signed_in_on: now }))
    .where("id", "=", userId)
    .where("session_epoch", "=", sessionEpoch)
    .where("active", "=", true)
    .where("deleted", "=", false)
    .where((where) => where.or([where("expires_on", "is", null), where("expires_on", ">", now)]))
    .returning(["id", "login", "name", "email", "rank"])
    .executeTakeFirst();
  if (!user) throw new Refusal("error.user.not.authenticated");
  return { token: await deps.sessions.issue({ ...user, role: roleOfRank(user.rank).name, sessionEpoch }) };
}
