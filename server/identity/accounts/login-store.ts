import { type ExpressionBuilder, sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Database } from "../../platform/db/schema.ts";
import { nameKey, skeletons } from "../../platform/names/confusables.ts";
import { isUsableLogin, type LoginClash, loginColumns } from "./logins.ts";

/**
 * Whether a login is available to an account, and if not, why. The caller may then take it in the same transaction:
 * other callers wait until it ends.
 */
export async function findLoginClash(
  tx: Tx,
  login: string,
  { allowLookalikes = false, account = 0 }: { allowLookalikes?: boolean; account?: number } = {},
): Promise<LoginClash | undefined> {
  if (!isUsableLogin(login)) return { why: "unusable" };
  await lockLogins(tx);
  await fillLoginKeys(tx);
  const others = tx.selectFrom("users").select("login").where("deleted", "=", false).where("id", "<>", account);
  const same = await others.where((where) => isSpelledLike(where, login)).executeTakeFirst();
  if (same) return { why: "taken", existing: same.login };
  if (allowLookalikes) return undefined;
  const alike = await others.where(sql<boolean>`login_skeletons && ${skeletons(login)}::text[]`).executeTakeFirst();
  return alike && { why: "lookalike", existing: alike.login };
}

/** Computes the keys of accounts created by earlier versions. If two would share a key, the older account gets it. */
export async function completeLogins(db: Db): Promise<void> {
  await db.transaction().execute(async (tx) => {
    await lockLogins(tx);
    await fillLoginKeys(tx);
  });
}

const lockLogins = (tx: Tx) => sql`select pg_advisory_xact_lock(hashtextextended('packhouse.logins', 0))`.execute(tx);

async function fillLoginKeys(tx: Tx): Promise<void> {
  const rows = await tx
    .selectFrom("users")
    .select(["id", "login", "deleted"])
    .where("login_skeletons", "is", null)
    .orderBy("id")
    .execute();
  for (const { id, login, deleted } of rows) {
    const { login_key: key, login_skeletons } = loginColumns(login);
    const holder = await tx
      .selectFrom("users")
      .select("id")
      .where("login_key", "=", key)
      .where("deleted", "=", false)
      .where("id", "<>", id)
      .executeTakeFirst();
    await tx
      .updateTable("users")
      .set({ login_key: holder && !deleted ? null : key, login_skeletons })
      .where("id", "=", id)
      .execute();
  }
}

/** Accounts with this login, in any spelling. */
const isSpelledLike = (where: ExpressionBuilder<Pick<Database, "users">, "users">, login: string) =>
  where.or([where("login", "=", login), where("login_key", "=", nameKey(login))]);

const columns = [
  "id",
  "login",
  "name",
  "email",
  "rank",
  "issuer",
  "session_epoch",
  "password_hash",
  "password_change_required",
  "active",
  "last_signed_in_on",
  "expires_on",
] as const;

/** A non-deleted user by login. An account with exactly this spelling comes first. */
export const personByLogin = (db: Db | Tx, login: string) =>
  db
    .selectFrom("users")
    .select(columns)
    .where((where) => isSpelledLike(where, login))
    .where("deleted", "=", false)
    .orderBy(sql`(login = ${login})`, "desc")
    .limit(1)
    .executeTakeFirst();

export const personById = (db: Db | Tx, id: number) =>
  db.selectFrom("users").select(columns).where("id", "=", id).where("deleted", "=", false).executeTakeFirst();
