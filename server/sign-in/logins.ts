import type { Db, Tx } from "../db/database.ts";

export const longestLogin = 255;

const columns = [
  "id",
  "login",
  "name",
  "email",
  "rank",
  "session_epoch",
  "password_hash",
  "password_change_required",
  "active",
  "last_signed_in_on",
  "expires_on",
] as const;

export const personByLogin = (db: Db | Tx, login: string) =>
  db.selectFrom("users").select(columns).where("login", "=", login).where("deleted", "=", false).executeTakeFirst();

export const personById = (db: Db | Tx, id: number) =>
  db.selectFrom("users").select(columns).where("id", "=", id).where("deleted", "=", false).executeTakeFirst();
