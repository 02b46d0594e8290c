import { may } from "@packhouse/contract/permissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "../accounts/account-store.ts";
import type { IdentityDeps } from "../deps.ts";
import { sessionLimits } from "./current-session.ts";
import { anySessions, sessions } from "./store.ts";

/** Ends the session of the request itself. Callers who signed in by other means have no session to end. */
export async function signOut({ db, clock }: EndDeps, actor: Actor, address: string): Promise<void> {
  const { sessionId } = actor;
  if (sessionId === undefined) return;
  await db.transaction().execute(async (tx) => {
    if (await anySessions(tx).end(sessionId)) await securityLog(tx, clock()).signOut({ user: actor, address });
  });
}

type EndDeps = Pick<IdentityDeps, "db" | "clock">;

/** Who ends whose sessions, for the event. */
const endOf = (actor: Actor, userId: number, address: string) =>
  ({
    account: { id: userId },
    by: actor,
    address,
    detail: userId === actor.id ? "self" : "administrator",
  }) as const;

/** Ends one session: the caller's own or, for administrators, another user's. */
export async function endSession(deps: IdentityDeps, actor: Actor, id: number, address: string): Promise<void> {
  const session = await sessions(deps.db, sessionLimits(deps)).byId(id);
  if (!session) throw new Refusal("session.notfound");
  if (!may("endSession", actor, relationTo(actor, { ownerId: session.user_id })))
    throw new Refusal("user.not.authorized");
  await deps.db.transaction().execute(async (tx) => {
    if (await anySessions(tx).end(id))
      await securityLog(tx, deps.clock()).sessionEnd(endOf(actor, session.user_id, address));
  });
}

/** Ends all sessions of a person except that of the request itself. */
export async function endSessionsOf(
  { db, clock }: EndDeps,
  actor: Actor,
  userId: number,
  address: string,
): Promise<void> {
  if (!may("endSession", actor, relationTo(actor, { ownerId: userId }))) throw new Refusal("user.not.authorized");
  if (!(await accounts(db).byId(userId))) throw new Refusal("user.notfound");
  await db.transaction().execute(async (tx) => {
    const ended = await anySessions(tx).endOthers(userId, actor.sessionId ?? 0);
    for (let count = 0; count < ended; count += 1)
      await securityLog(tx, clock()).sessionEnd(endOf(actor, userId, address));
  });
}
