import { type RoleName, rankOf } from "@packhouse/contract/roles";
import { sql } from "kysely";
import type { Clock } from "../clock.ts";
import type { Db, Tx } from "../db/database.ts";
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
}

export class LoginTaken extends Error {
  constructor(login: string) {
    super(`The login ${login} is taken.`);
  }
}

/** Creates an account that signs in by password. */
export async function createPerson(db: Db | Tx, clock: Clock, person: NewPerson): Promise<number> {
  const row = await insertPerson(db, clock, person);
  if (!row) throw new LoginTaken(person.login);
  return row.id;
}

/** Undefined when the login is taken. */
const insertPerson = (db: Db | Tx, clock: Clock, person: NewPerson) =>
  db
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

/** Gives somebody another password and ends his sessions. False when nobody has the login. */
export async function setPassword(db: Db, login: string, passwordHash: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("users")
    .set((row) => ({ password_hash: passwordHash, session_epoch: row("session_epoch", "+", 1) }))
    .where("login", "=", login)
    .where("deleted", "=", false)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
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
    // Another replica that starts may have been faster.
    await insertPerson(db, clock, { ...person, passwordHash });
  }
}

/** First half of the advisory lock that is held while the first administrator is made. */
const lockSpace = 0x6164_6d69;

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
    // Replicas that start together must not each make one.
    await sql`select pg_advisory_xact_lock(${lockSpace}, 0)`.execute(tx);
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
      .select("id")
      .where("login", "=", login)
      .where("deleted", "=", false)
      .executeTakeFirst();
    if (sameLogin) {
      await tx
        .updateTable("users")
        .set({ rank: rankOf("admin"), active: true, password_hash: passwordHash })
        .where("id", "=", sameLogin.id)
        .execute();
    } else await createPerson(tx, clock, { login, name: "Administrator", role: "admin", passwordHash });
    return true;
  });
  return created ? { login, generatedPassword: settings["admin.password"] ? undefined : password } : undefined;
}
