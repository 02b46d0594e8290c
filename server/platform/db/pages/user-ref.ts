import type { UserRef } from "@packhouse/contract/references";
import { type RawBuilder, sql } from "kysely";
import { always } from "./sort-columns.ts";

/** A user as records refer to them, read as one column of a join: `userRef("submitter").as("submitter")`. */
export const userRef = (table: string): RawBuilder<UserRef> => {
  const column = (name: string) => sql.ref(`${table}.${name}`);
  return sql<UserRef>`json_build_object(
    'id', ${column("id")}, 'name', ${column("name")}, 'login', ${column("login")}, 'email', ${column("email")})`;
};

/** The columns by which lists sort the fields of a user, who is joined as `table`. */
export const userSorts = (table: string) => ({
  "user.id": always(sql.ref(`${table}.id`)),
  "user.name": always(sql.ref(`${table}.name`)),
  "user.login": always(sql.ref(`${table}.login`)),
  "user.email": always(sql.ref(`${table}.email`)),
});
