import { may } from "@packhouse/contract/permissions";
import type { Db } from "../db/database.ts";
import type { Deps } from "../deps.ts";
import { Refusal } from "../http/refusal.ts";
import { type Actor, standingTo } from "../sign-in/actor.ts";
import { goesOn } from "./current-session.ts";
import { sessions } from "./store.ts";

/** Ends the session of the request itself. There is nothing to end for whoever signed in by other means. */
export async function signOut({ db }: { db: Db }, actor: Actor): Promise<void> {
  if (actor.sessionId !== undefined) await db.deleteFrom("sessions").where("id", "=", actor.sessionId).execute();
}

/** Ends one session, one's own or, as an administrator, somebody else's. */
export async function endSession(deps: Deps, actor: Actor, id: number): Promise<void> {
  const session = await sessions(deps.db, goesOn(deps)).byId(id);
  if (!session) throw new Refusal("session.notfound");
  if (!may("endSession", actor, standingTo(actor, { ownerId: session.user_id })))
    throw new Refusal("user.not.authorized");
  await deps.db.deleteFrom("sessions").where("id", "=", id).execute();
}

/** Ends all sessions of a person except that of the request itself. */
export async function endSessionsOf({ db }: { db: Db }, actor: Actor, userId: number): Promise<void> {
  if (!may("endSession", actor, standingTo(actor, { ownerId: userId }))) throw new Refusal("user.not.authorized");
  const person = await db.selectFrom("users").select("id").where("id", "=", userId).executeTakeFirst();
  if (!person) throw new Refusal("user.notfound");
  await db
    .deleteFrom("sessions")
    .where("user_id", "=", userId)
    .where("id", "<>", actor.sessionId ?? 0)
    .execute();
}
