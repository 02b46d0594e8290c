import type { Credentials, Session } from "@packhouse/contract/login";
import { roleOfRank } from "@packhouse/contract/roles";
import type { Deps } from "../deps.ts";
import { securityLog } from "../events/security-log.ts";
import { Refusal } from "../http/refusal.ts";
import { checkAttempts, recordFailure } from "./attempts.ts";
import { passwordMatches } from "./password.ts";

/** Signs a person in by login and password; whatever is wrong, the answer is the same and takes as long. */
export async function signIn(deps: Deps, { login, password }: Credentials, address: string): Promise<Session> {
  if (!deps.settings["auth.simple"]) throw new Refusal("error.user.not.authenticated");
  await checkAttempts(deps, login, address);
  const now = deps.clock();
  const person = await deps.db
    .selectFrom("users")
    .select([
      "id",
      "login",
      "name",
      "email",
      "rank",
      "session_epoch",
      "password_hash",
      "active",
      "last_signed_in_on",
      "expires_on",
    ])
    .where("login", "=", login)
    .where("deleted", "=", false)
    .executeTakeFirst();

  const matches = await passwordMatches(password, person?.password_hash);
  const welcome = person?.active && (!person.expires_on || person.expires_on > now);
  if (!person || !matches || !welcome) {
    deps.watch.signInFailed("password");
    await recordFailure(deps, login, address);
    await securityLog(deps.db, now).signInFailed({ login, account: person, address, detail: "password" });
    throw new Refusal("error.user.not.authenticated");
  }
  await deps.db.transaction().execute(async (tx) => {
    await tx
      .updateTable("users")
      .set({ previous_signed_in_on: person.last_signed_in_on, last_signed_in_on: now })
      .where("id", "=", person.id)
      .execute();
    await securityLog(tx, now).signIn({ user: person, address, detail: "password" });
  });
  const role = roleOfRank(person.rank).name;
  return { token: await deps.sessions.issue({ ...person, role, sessionEpoch: person.session_epoch }) };
}
