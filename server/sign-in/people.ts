import { type RoleName, rankOf, roleOfRank } from "@packhouse/contract/roles";
import type { SecurityEventDetail } from "@packhouse/contract/security-events";
import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../db/database.ts";
import { change } from "../events/record-event.ts";
import { securityLog } from "../events/security-log.ts";
import type { Settings } from "../settings.ts";
import { generatePassword, hashPassword } from "./password.ts";

/** People whose identity this server itself vouches for. */
export const localIssuer = "local";

export interface NewPerson {
  login: string;
  name?: string | undefined;
  email?: string | undefined;
  role: RoleName;
  passwordHash: string;
  /** What created the account. */
  origin: Exclude<SecurityEventDetail<"accountCreate">, "provider">;
}

export class LoginTaken extends Error {
  constructor(login: string) {
    super(`The login ${login} is taken.`);
  }
}

/** Creates an account that signs in by password, and its event; part of the caller's transaction, if there is one. */
export const createPerson = (db: Db | Tx, clock: Clock, person: NewPerson): Promise<number> =>
  db.isTransaction
    ? insertPerson(db, clock, person)
    : db.transaction().execute((tx) => insertPerson(tx, clock, person));

async function insertPerson(tx: Db | Tx, clock: Clock, person: NewPerson): Promise<number> {
  const row = await tx
    .insertInto("users")
    .values({
      login: person.login,
      name: person.name ?? person.login,
      email: person.email ?? `${person.login}@localhost`,
      rank: rankOf(person.role),
      issuer: localIssuer,
      subject: person.login,
      password_hash: person.passwordHash,
      created_on: clock(),
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning("id")
    .executeTakeFirst();
  if (!row) throw new LoginTaken(person.login);
  await securityLog(tx, clock()).accountCreate({ account: row, role: person.role, detail: person.origin });
  return row.id;
}

/**
 * Creates the people whom the settings name and who are not there yet.
 * Those who are keep what was changed since, their password too: it is set by command, not by a restart.
 */
export async function createPeopleOfSettings(db: Db, clock: Clock, settings: Pick<Settings, "people">): Promise<void> {
  for (const person of settings.people) {
    const known = await db.selectFrom("users").select("id").where("login", "=", person.login).executeTakeFirst();
    if (known) continue;
    const passwordHash = person.passwordHash ?? (person.password ? await hashPassword(person.password) : undefined);
    if (!passwordHash) continue;
    await createPerson(db, clock, { ...person, passwordHash, origin: "settings" });
  }
}

/** The name and the generated password of an administrator who was just created; the password is shown this once. */
export interface FirstAdministrator {
  login: string;
  generatedPassword: string | undefined;
}

/** Creates the first administrator while no active one exists. */
export async function createFirstAdministrator(
  db: Db,
  clock: Clock,
  settings: Pick<Settings, "admin.login" | "admin.password">,
): Promise<FirstAdministrator | undefined> {
  const password = settings["admin.password"] ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const login = settings["admin.login"];
  const created = await db.transaction().execute(async (tx) => {
    const administrator = await tx
      .selectFrom("users")
      .select("id")
      .where("rank", "=", rankOf("admin"))
      .where("active", "=", true)
      .where("deleted", "=", false)
      .executeTakeFirst();
    if (administrator) return false;
    const sameLogin = await tx
      .selectFrom("users")
      .select(["id", "rank", "active"])
      .where("login", "=", login)
      .where("deleted", "=", false)
      .executeTakeFirst();
    if (sameLogin) {
      await tx
        .updateTable("users")
        .set({ rank: rankOf("admin"), active: true, password_hash: passwordHash })
        .where("id", "=", sameLogin.id)
        .execute();
      await securityLog(tx, clock()).accountChange({
        account: sameLogin,
        detail: "firstStart",
        changed: [
          ...change("role", roleOfRank(sameLogin.rank).name, "admin"),
          ...change("active", sameLogin.active, true),
          { property: "password", valueBefore: "", valueAfter: "" },
        ],
      });
    } else {
      const person = { login, name: "Administrator", role: "admin", passwordHash, origin: "firstStart" } as const;
      await createPerson(tx, clock, person);
    }
    return true;
  });
  return created ? { login, generatedPassword: settings["admin.password"] ? undefined : password } : undefined;
}
