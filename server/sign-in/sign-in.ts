import type { Credentials, Session } from "@packhouse/contract/login";
import type { Deps } from "../deps.ts";
import { Refusal } from "../http/refusal.ts";
import { demandSecondFactor } from "../second-factors/demand-second-factor.ts";
import type { SignInPlace } from "../second-factors/pass-second-factor.ts";
import { checkAttempts, recordFailure } from "./attempts.ts";
import { openSession } from "./open-session.ts";
import { passwordMatches } from "./password.ts";

/** Signs a user in by login and password, as far as no second factor is needed; whatever is wrong, the answer is the same and takes as long. */
export async function signIn(
  deps: Deps,
  { login, password }: Credentials,
  { address, site }: SignInPlace,
): Promise<Session> {
  if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
  await checkAttempts(deps, login, address);
  const now = deps.clock();
  const person = await deps.db
    .selectFrom("users")
    .select(["id", "rank", "session_epoch", "password_hash", "active", "expires_on"])
    .where("login", "=", login)
    .where("deleted", "=", false)
    .executeTakeFirst();

  const matches = await passwordMatches(password, person?.password_hash);
  const welcome = person?.active && (!person.expires_on || person.expires_on > now);
  if (!person || !matches || !welcome) {
    deps.watch.signInFailed("password");
    await recordFailure(deps, login, address);
    throw new Refusal("error.user.not.authenticated");
  }
  const demand = await demandSecondFactor(deps, person, site);
  if (demand) throw demand;
  return openSession(deps, { userId: person.id, sessionEpoch: person.session_epoch });
}
