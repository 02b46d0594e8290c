import type { Db } from "../../platform/db/database.ts";

export const passwordOf = (db: Db, userId: number) =>
  db
    .selectFrom("users")
    .select(["login", "password_hash", "session_epoch"])
    .where("id", "=", userId)
    .executeTakeFirstOrThrow();
