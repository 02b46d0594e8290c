import type { Actor } from "../../http/actor.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { attemptSignIn } from "./attempt-store.ts";
import { passwordMatches } from "./password.ts";
import { longestPassword } from "./password-rules.ts";
import { passwordOf } from "./password-store.ts";

type PasswordDeps = Pick<IdentityDeps, "db" | "clock" | "settings">;

/** Whether a user has a usable password on this server. */
export const signsInByPassword = async (deps: PasswordDeps, { id }: { id: number }): Promise<boolean> =>
  deps.settings["auth.simple"] && (await passwordOf(deps.db, id)).password_hash !== null;

/**
 * Checks the password of a signed-in user before a change to the account's protection: someone who finds or steals an
 * open session does not know it. Wrong passwords count as failed sign-ins.
 */
export async function confirmPassword(
  deps: PasswordDeps,
  actor: Actor,
  password: string,
  address: string,
): Promise<{ sessionEpoch: number }> {
  const user = await passwordOf(deps.db, actor.id);
  if (!deps.settings["auth.simple"] || user.password_hash === null) throw invalid(["password.not.used"]);
  await checkPassword(deps, user, password, address);
  return { sessionEpoch: user.session_epoch };
}

/** Refuses a wrong password of a known account; guesses count like failed sign-ins. */
export async function checkPassword(
  deps: Pick<IdentityDeps, "db" | "clock">,
  user: { login: string; password_hash: string | null },
  password: string,
  address: string,
): Promise<void> {
  const { succeeds } = await attemptSignIn(deps, { login: user.login, address }, async () => ({
    succeeds: password.length <= longestPassword && (await passwordMatches(password, user.password_hash)),
  }));
  if (!succeeds) throw invalid(["password.wrong"]);
}
