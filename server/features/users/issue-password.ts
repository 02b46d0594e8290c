import { randomBytes } from "node:crypto";
import { may } from "@packhouse/contract/permissions";
import { type Actor, relationTo } from "../../http/actor.ts";
import { localIssuer } from "../../identity/accounts/accounts-of-settings.ts";
import { passwordLinks } from "../../identity/accounts/password-link-store.ts";
import { setPassword } from "../../identity/accounts/set-password.ts";
import { generatePassword, hashPassword } from "../../identity/passwords/password.ts";
import { hashOfToken } from "../../identity/tokens/access-token-value.ts";
import type { Tx } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { Deps } from "../deps.ts";
import { type User, users } from "./store.ts";

type IssueDeps = Pick<Deps, "db" | "clock" | "settings">;

/** A secret with which the user may set a password, once and for a limited time. Only its hash is stored. */
export interface PasswordLink {
  secret: string;
  expiresOn: Date;
}

/** Where the console reads the secret of a link. It is in the fragment, which browsers send to no server. */
export const passwordLinkAddress = (base: string, { secret }: PasswordLink): string =>
  `${base}/login#set-password=${secret}`;

/** Creates a one-time link for a user; an earlier one is void. The password stays until the link is used. */
export async function makePasswordLink(
  deps: IssueDeps,
  tx: Tx,
  userId: number,
  origin: { by: { id: number } | undefined; address?: string },
): Promise<PasswordLink> {
  const secret = randomBytes(32).toString("base64url");
  const now = deps.clock();
  const expiresOn = new Date(now.getTime() + deps.settings["auth.password.linkHours"] * 3_600_000);
  const value_hash = hashOfToken(secret);
  await passwordLinks(tx).save({ user_id: userId, value_hash, created_on: now, expires_on: expiresOn });
  await securityLog(tx, now).passwordChange({ account: { id: userId }, detail: "link", ...origin });
  return { secret, expiresOn };
}

/** An administrator creates a one-time link for a user who signs in by password. */
export async function issuePasswordLink(
  deps: IssueDeps,
  actor: Actor,
  id: number,
  address: string,
): Promise<PasswordLink> {
  return deps.db.transaction().execute(async (tx) => {
    const person = await lockedForReset(tx, actor, id);
    return makePasswordLink(deps, tx, person.id, { by: actor, address });
  });
}

/** An administrator sets a password that the user has to change at the next sign-in. */
export async function issueTemporaryPassword(
  deps: IssueDeps,
  actor: Actor,
  id: number,
  { keepAccessTokens = false, address }: { keepAccessTokens?: boolean | undefined; address: string },
): Promise<string> {
  const password = generatePassword();
  const hash = await hashPassword(password);
  await deps.db.transaction().execute(async (tx) => {
    const person = await lockedForReset(tx, actor, id);
    const change = { detail: "administrator", by: actor, address, at: deps.clock() } as const;
    await setPassword(tx, person.id, { hash, changeRequired: true, keepAccessTokens, change });
  });
  return password;
}

async function lockedForReset(tx: Tx, actor: Actor, id: number): Promise<User> {
  const person = await users(tx).lock(id);
  if (!person) throw new Refusal("user.notfound");
  if (!may("resetPassword", actor, relationTo(actor, { ownerId: id }))) throw new Refusal("user.not.authorized");
  if (person.deleted) throw new Refusal("editing.deleted.resource.not.possible");
  if (person.issuer !== localIssuer) throw invalid(["password.not.used"]);
  return person;
}
