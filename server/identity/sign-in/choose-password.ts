import type { Session } from "@packhouse/contract/login";
import type { ownPasswordChange, passwordByToken } from "@packhouse/contract/passwords";
import type { z } from "zod";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { accounts } from "../accounts/account-store.ts";
import { personById } from "../accounts/login-store.ts";
import { passwordLinks } from "../accounts/password-link-store.ts";
import { setPassword } from "../accounts/set-password.ts";
import type { IdentityDeps } from "../deps.ts";
import { checkPassword } from "../passwords/confirm-password.ts";
import { hashPassword, passwordMatches } from "../passwords/password.ts";
import { brokenPasswordRules } from "../passwords/password-rules.ts";
import type { SignInClient } from "../sessions/sign-in-client.ts";
import { hashOfToken } from "../tokens/access-token-value.ts";
import { afterPassword, afterProofs, continueSession, maySignIn } from "./sign-in.ts";

/**
 * Changes the caller's own password. The current one is required, and wrong ones count like failed sign-ins. All
 * sessions end; the caller gets a new one.
 */
export async function changeOwnPassword(
  deps: IdentityDeps,
  actor: Actor,
  { currentPassword, newPassword, keepAccessTokens = false }: z.infer<typeof ownPasswordChange>,
  client: SignInClient,
): Promise<Session> {
  if (!deps.settings["auth.simple"]) throw new Refusal("user.not.authorized");
  const person = await personById(deps.db, actor.id);
  if (!person?.password_hash) throw invalid(["password.not.used"]);
  await checkPassword(deps, person, currentPassword, client.address);
  if (newPassword === currentPassword) throw invalid(["password.unchanged"]);
  await mustBeGood(deps, newPassword, person);
  const hash = await hashPassword(newPassword);
  await deps.db.transaction().execute(async (tx) => {
    const before = await accounts(tx).lockPassword(person.id);
    // The password has been changed since it was checked above.
    if (before?.password_hash !== person.password_hash) throw invalid(["password.wrong"]);
    const change = { detail: "self", by: person, address: client.address, at: deps.clock() } as const;
    await setPassword(tx, person.id, { hash, keepAccessTokens, change });
  });
  return continueSession(deps, person.id, client);
}

/**
 * Sets a password by a one-time link, or when a sign-in requires a new one, and signs in with it. Either works once.
 */
export async function choosePassword(
  deps: IdentityDeps,
  { token, password, keepAccessTokens = false }: z.infer<typeof passwordByToken>,
  client: SignInClient,
): Promise<Session> {
  if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
  const found = await personOfToken(deps, token);
  const person = found && (await personById(deps.db, found.userId));
  if (!found || !person || !found.isGood(person) || !maySignIn(deps, person)) {
    deps.watch.signInFailed("password");
    throw new Refusal("error.user.not.authenticated");
  }
  await mustBeGood(deps, password, person);
  // Only where a new password is required: the holder of a mere link could otherwise find out the current one.
  if (person.password_change_required && (await passwordMatches(password, person.password_hash)))
    throw invalid(["password.unchanged"]);
  const hash = await hashPassword(password);
  await deps.db.transaction().execute(async (tx) => {
    const before = await accounts(tx).lockPassword(person.id);
    // Another request has already used it.
    if (!before || !(await found.use(tx, before))) throw new Refusal("error.user.not.authenticated");
    const change = { detail: "self", by: person, address: client.address, at: deps.clock() } as const;
    await setPassword(tx, person.id, { hash, keepAccessTokens, change });
  });
  const after = await personById(deps.db, person.id);
  if (!after || !maySignIn(deps, after)) throw new Refusal("error.user.not.authenticated");
  return found.passedSecondStep ? afterProofs(deps, after, client) : afterPassword(deps, after, client);
}

type Counted = Pick<NonNullable<Awaited<ReturnType<typeof personById>>>, "session_epoch">;

/** Whose password a token allows to set, and how the token is consumed. */
interface TokenOwner {
  userId: number;
  /** A sign-in token is issued after the second step; a link is not tied to a sign-in. */
  passedSecondStep: boolean;
  isGood(person: Counted): boolean;
  use(tx: Tx, person: Counted): Promise<boolean>;
}

async function personOfToken(deps: IdentityDeps, token: string): Promise<TokenOwner | undefined> {
  const continuation = await deps.sessions.verifyContinuation("new-password", token);
  if (continuation) {
    // A new password raises the counter, which invalidates the continuation.
    const isGood = (person: Counted) => person.session_epoch === continuation.sessionEpoch;
    return { userId: continuation.userId, passedSecondStep: true, isGood, use: async (_tx, person) => isGood(person) };
  }
  const hash = hashOfToken(token);
  const userId = await passwordLinks(deps.db).ownerOf(hash, deps.clock());
  return userId === undefined
    ? undefined
    : { userId, passedSecondStep: false, isGood: () => true, use: (tx) => passwordLinks(tx).use(hash) };
}

async function mustBeGood(
  { settings }: Pick<IdentityDeps, "settings">,
  password: string,
  owner: { login: string; name: string; email: string },
): Promise<void> {
  const codes = await brokenPasswordRules(password, owner, settings["auth.password.minLength"]);
  if (codes.length > 0) throw invalid(codes);
}
