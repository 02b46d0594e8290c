import { randomUUID } from "node:crypto";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { IdentityDeps } from "../deps.ts";
import type { SessionSubject } from "../tokens/session-tokens.ts";
import { sessionLimits } from "./current-session.ts";
import { anySessions, sessions } from "./store.ts";

/** Scripts that sign in for each call must not fill the table: further sign-ins end the oldest sessions. */
const mostPerPerson = 100;
const longestDevice = 200;

/** Where a sign-in comes from. */
export interface SigningClient {
  address: string;
  /** The user agent that the client sends. */
  device: string | undefined;
}

type SessionDeps = Pick<IdentityDeps, "db" | "clock" | "settings" | "sessions">;

/** Starts a session for a user whose identity is proven; returns its token. */
export async function startSession(
  deps: SessionDeps,
  person: Omit<SessionSubject, "sessionKey">,
  client: SigningClient,
): Promise<string> {
  const { db, clock, settings } = deps;
  const now = clock();
  const key = randomUUID();
  await removeEndedSessions(deps);
  const row = {
    user_id: person.id,
    key,
    device: (client.device ?? "").slice(0, longestDevice),
    address: client.address,
    created_on: now,
    last_used_on: now,
    expires_on: new Date(now.getTime() + settings["auth.session.minutes"] * 60_000),
  };
  await anySessions(db).add(row, mostPerPerson);
  return deps.sessions.issue({ ...person, sessionKey: key });
}

/** Ended sessions are removed: they are of no further use. */
export async function removeEndedSessions(deps: Pick<IdentityDeps, "db" | "clock" | "settings">): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    for (const id of await sessions(tx, sessionLimits(deps)).removeEnded())
      await securityLog(tx, deps.clock()).sessionEnd({ account: { id }, by: undefined, detail: "expired" });
  });
}
