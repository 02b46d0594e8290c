import type { Credentials, Session } from "@packhouse/contract/login";
import { roleOfRank } from "@packhouse/contract/roles";
import type { SecurityEventDetail } from "@packhouse/contract/security-events";
import { Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "../accounts/account-store.ts";
import { personById, personByLogin } from "../accounts/login-store.ts";
import { longestLogin } from "../accounts/logins.ts";
import type { IdentityDeps } from "../deps.ts";
import { attemptSignIn } from "../passwords/attempt-store.ts";
import { passwordMatches } from "../passwords/password.ts";
import { longestPassword } from "../passwords/password-rules.ts";
import { demandEnrollment, demandSecondFactor } from "../second-factors/demand-second-factor.ts";
import type { SignInClient } from "../sessions/sign-in-client.ts";
import { type SigningClient, startSession } from "../sessions/start-session.ts";

/** Signs in a user by login and password; every failure gets the same answer and takes the same time. */
export async function signIn(
  deps: IdentityDeps,
  { login, password }: Credentials,
  client: SignInClient,
): Promise<Session> {
  if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
  const { address } = client;
  const { person, succeeds } = await attemptSignIn(deps, { login, address }, async () => {
    const found = login.length > longestLogin ? undefined : await personByLogin(deps.db, login);
    const matches =
      login.length <= longestLogin &&
      password.length <= longestPassword &&
      (await passwordMatches(password, found?.password_hash));
    return { person: found, succeeds: found !== undefined && matches && maySignIn(deps, found) };
  });
  if (!person || !succeeds) {
    await securityLog(deps.db, deps.clock()).signInFailed({ login, account: person, address, detail: "password" });
    return refuseSignIn(deps);
  }
  return afterPassword(deps, person, client);
}

/** Every failed password sign-in ends here. */
function refuseSignIn(deps: Pick<IdentityDeps, "watch">): never {
  deps.watch.signInFailed("password");
  throw new Refusal("error.user.not.authenticated");
}

type SigningPerson = NonNullable<Awaited<ReturnType<typeof personByLogin>>>;

/** Users who are deactivated or have expired cannot sign in. */
export const maySignIn = (
  { clock }: Pick<IdentityDeps, "clock">,
  person: Pick<SigningPerson, "active" | "expires_on">,
): boolean => person.active && (!person.expires_on || person.expires_on > clock());

/** The password was correct; the second factor comes next. */
export async function afterPassword(deps: IdentityDeps, person: SigningPerson, client: SignInClient): Promise<Session> {
  const demand = await demandSecondFactor(deps, person, client.site);
  if (demand) throw demand;
  return afterProofs(deps, person, client);
}

/** The identity is proven; what the user still has to set up comes before the session, the password first. */
export async function afterProofs(
  deps: IdentityDeps,
  person: SigningPerson,
  client: SignInClient,
  detail: SecurityEventDetail<"signIn"> = "password",
): Promise<Session> {
  if (person.password_change_required) {
    const subject = { id: person.id, sessionEpoch: person.session_epoch };
    const continuation = await deps.sessions.issueContinuation("new-password", subject);
    throw new Refusal("password.change.required", { continuation });
  }
  const demand = await demandEnrollment(deps, person, client.site);
  if (demand) throw demand;
  return completeSignIn(deps, person, client, detail);
}

/**
 * Continues a sign-in whose second step has succeeded. Proof from before a password change or a deactivation no longer
 * counts.
 */
export async function resumeSignIn(
  deps: IdentityDeps,
  { userId, sessionEpoch }: { userId: number; sessionEpoch: number },
  client: SignInClient,
): Promise<Session> {
  const person = await personById(deps.db, userId);
  if (person?.session_epoch !== sessionEpoch || !maySignIn(deps, person)) return refuseSignIn(deps);
  return afterProofs(deps, person, client, "secondFactor");
}

/** Every successful password sign-in ends here: the session starts. */
async function completeSignIn(
  deps: IdentityDeps,
  person: SigningPerson,
  client: SigningClient,
  detail: SecurityEventDetail<"signIn">,
): Promise<Session> {
  const now = deps.clock();
  await deps.db.transaction().execute(async (tx) => {
    await accounts(tx).noteSignIn(person, now);
    await securityLog(tx, now).signIn({ user: person, address: client.address, detail });
  });
  return { token: await startSessionOf(deps, person, client) };
}

/** Gives a signed-in user a new session after all sessions have ended. */
export async function continueSession(deps: IdentityDeps, personId: number, client: SigningClient): Promise<Session> {
  const person = await personById(deps.db, personId);
  if (!person || !maySignIn(deps, person)) throw new Refusal("error.user.not.authenticated");
  return { token: await startSessionOf(deps, person, client) };
}

const startSessionOf = (deps: IdentityDeps, person: SigningPerson, client: SigningClient): Promise<string> =>
  startSession(deps, { ...person, role: roleOfRank(person.rank).name, sessionEpoch: person.session_epoch }, client);
