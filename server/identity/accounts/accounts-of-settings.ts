import { type RoleName, rankOf, roleOfRank } from "@packhouse/contract/roles";
import type { SecurityEventDetail } from "@packhouse/contract/security-events";
import type { Logger } from "pino";
import type { Clock } from "../../platform/clock.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import { OperatorError } from "../../platform/errors/operator-error.ts";
import { change } from "../../platform/event-log/record-event.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { cleanLogin } from "../../platform/names/clean-login.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { generatePassword, hashPassword } from "../passwords/password.ts";
import { accounts } from "./account-store.ts";
import { findLoginClash, personByLogin } from "./login-store.ts";
import { clashText, type LoginClash, loginColumns } from "./logins.ts";

interface PeopleDeps {
  db: Db;
  clock: Clock;
  log: Pick<Logger, "warn">;
}

/** Issuer of accounts whose identity this server vouches for. */
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

/** Another account has the login, or one that looks like it. */
export class LoginTaken extends Error {
  constructor(login: string, clash: LoginClash) {
    super(clashText(login, clash));
  }
}

/** Creates an account that signs in by password, and its event; part of the caller's transaction, if there is one. */
export async function createPerson(
  db: Db | Tx,
  clock: Clock,
  person: NewPerson,
  options: { allowLookalikes?: boolean } = {},
): Promise<number> {
  return db.isTransaction
    ? create(db as Tx, clock, person, options)
    : db.transaction().execute((tx) => create(tx, clock, person, options)); // a transaction reports `isTransaction`
}

async function create(
  tx: Tx,
  clock: Clock,
  person: NewPerson,
  options: { allowLookalikes?: boolean },
): Promise<number> {
  const login = cleanLogin(person.login);
  const clash = await findLoginClash(tx, login, options);
  if (clash) throw new LoginTaken(login, clash);
  const id = await accounts(tx).insert({
    ...loginColumns(login),
    name: person.name ?? login,
    email: person.email ?? `${login}@localhost`,
    rank: rankOf(person.role),
    issuer: localIssuer,
    subject: login,
    password_hash: person.passwordHash,
    created_on: clock(),
  });
  // Deleted accounts still count as users of this server.
  if (id === undefined) throw new LoginTaken(login, { why: "taken", existing: login });
  await securityLog(tx, clock()).accountCreate({ account: { id }, role: person.role, detail: person.origin });
  return id;
}

/**
 * Creates the users that the settings name and that do not exist yet. Existing users keep later changes, including
 * their password: a command sets it, not a restart.
 */
export async function createPeopleOfSettings(
  { db, clock, log }: PeopleDeps,
  settings: Pick<Settings, "people" | "auth.lookalikeLogins">,
): Promise<void> {
  for (const person of settings.people) {
    if (await accounts(db).hasLogin(cleanLogin(person.login))) continue;
    const passwordHash = person.passwordHash ?? (person.password ? await hashPassword(person.password) : undefined);
    if (!passwordHash) continue;
    try {
      const options = { allowLookalikes: settings["auth.lookalikeLogins"] };
      await createPerson(db, clock, { ...person, passwordHash, origin: "settings" }, options);
    } catch (error) {
      if (!(error instanceof LoginTaken)) throw error;
      log.warn({ login: person.login, reason: error.message }, "no account is created for a user in the settings");
    }
  }
}

/** The name and generated password of a newly created administrator; the password is shown only once. */
export interface FirstAdministrator {
  login: string;
  generatedPassword: string | undefined;
}

/** Creates the first administrator while no active one exists. */
export async function createFirstAdministrator(
  { db, clock, log }: PeopleDeps,
  settings: Pick<Settings, "admin.login" | "admin.password">,
): Promise<FirstAdministrator | undefined> {
  if (await accounts(db).hasAdministrator()) return undefined;
  const password = settings["admin.password"] ?? generatePassword();
  const passwordHash = await hashPassword(password);
  const login = await db.transaction().execute(async (tx) => {
    // Again, since hashing takes a while.
    if (await accounts(tx).hasAdministrator()) return undefined;
    const wanted = cleanLogin(settings["admin.login"]);
    const sameLogin = await personByLogin(tx, wanted);
    // A provider account must not be turned into a local one: its owner's claims have chosen that login.
    if (sameLogin?.issuer === localIssuer && sameLogin.login === wanted) {
      await accounts(tx).makeAdministrator(sameLogin.id, passwordHash);
      await accounts(tx).endSessions(sameLogin.id);
      await accounts(tx).deactivateAccessTokens(sameLogin.id);
      await securityLog(tx, clock()).accountChange({
        account: sameLogin,
        detail: "firstStart",
        changed: [
          ...change("role", roleOfRank(sameLogin.rank).name, "admin"),
          ...change("active", sameLogin.active, true),
          { property: "password", valueBefore: "", valueAfter: "" },
        ],
      });
      return wanted;
    }
    const free = await freeLogin(tx, wanted);
    if (free !== wanted)
      log.warn(
        { login: free, wanted },
        "the login of the first administrator is taken; the account gets a different one",
      );
    await create(
      tx,
      clock,
      { login: free, name: "Administrator", role: "admin", passwordHash, origin: "firstStart" },
      { allowLookalikes: true },
    );
    return free;
  });
  return login === undefined
    ? undefined
    : { login, generatedPassword: settings["admin.password"] ? undefined : password };
}

/** The login, or the first of `admin-2`, `admin-3` … that no account has or had. */
async function freeLogin(tx: Tx, wanted: string): Promise<string> {
  for (let number = 1; ; number++) {
    const login = number === 1 ? wanted : `${wanted}-${number}`;
    const clash = await findLoginClash(tx, login, { allowLookalikes: true });
    if (!clash && !(await accounts(tx).hasSubject(localIssuer, login))) return login;
    if (clash?.why === "unusable") throw new OperatorError(clashText(login, clash));
  }
}
