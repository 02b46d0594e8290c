import type { ListQuery } from "@packhouse/contract/list-contract";
import { type RoleName, rankOf, roleName } from "@packhouse/contract/roles";
import type { SettingsRef, userList } from "@packhouse/contract/users";
import { type SelectQueryBuilder, sql } from "kysely";
import { personByLogin } from "../../identity/accounts/login-store.ts";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { Found } from "../../platform/db/pages/found.ts";
import { type FilterConditions, matches, pagedList } from "../../platform/db/pages/page.ts";
import type { SortColumns } from "../../platform/db/pages/sort-columns.ts";
import type { Database, UserRow } from "../../platform/db/schema.ts";
import { isOneOf } from "../../platform/db/statements/is-one-of.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";

/** A user with their saved settings. */
export interface User
  extends Omit<UserRow, "password_hash" | "provider_sign_in" | "groups" | "login_key" | "login_skeletons"> {
  settings: SettingsRef | null;
  /** The user is deleted, and their login belongs to another user now. */
  login_taken: boolean;
  /** How many second factors protect the account. */
  second_factors: number;
  has_password: boolean;
}

const settingsColumn = sql<SettingsRef | null>`(
  select json_build_object('language', s.language, 'theme', s.theme, 'pageSize', s.page_size)
  from user_settings s where s.user_id = users.id)`;
const savedSetting = (column: string) =>
  sql`(select ${sql.ref(`s.${column}`)} from user_settings s where s.user_id = users.id)`;

const columns: SortColumns<typeof userList> = {
  id: sql`users.id`,
  name: sql`users.name`,
  email: sql`users.email`,
  login: sql`users.login`,
  active: sql`users.active`,
  lastLoggedInOn: sql`users.last_signed_in_on`,
  createdOn: sql`users.created_on`,
  deleted: sql`users.deleted`,
  roleId: sql`users.rank`,
  role: sql`users.rank`,
  userSettings: savedSetting("id"),
  "userSettings.language": savedSetting("language"),
  "userSettings.theme": savedSetting("theme"),
  "userSettings.pageSize": savedSetting("page_size"),
};

type Query = SelectQueryBuilder<Database, "users", object>;

const select = (query: Query) =>
  query
    .select([
      "users.id",
      "login",
      "name",
      "email",
      "rank",
      "active",
      "deleted",
      "deletion_id",
      "issuer",
      "subject",
      "session_epoch",
      "created_on",
      "last_signed_in_on",
      "previous_signed_in_on",
      "expires_on",
      "password_change_required",
    ])
    .select(settingsColumn.as("settings"))
    .select(sql<boolean>`(users.password_hash is not null)`.as("has_password"))
    .select(
      sql<number>`(select count(*) from second_factors where second_factors.user_id = users.id)`.as("second_factors"),
    )
    .select(
      sql<boolean>`(users.deleted and exists (
        select from users other
        where (other.login = users.login or other.login_key = users.login_key) and not other.deleted))`.as(
        "login_taken",
      ),
    );

const ranksOf = (names: readonly string[]): number[] =>
  names.filter((name): name is RoleName => roleName.safeParse(name).success).map(rankOf);

const filters: FilterConditions<typeof userList> = {
  role: (names) => sql`rank = any(${ranksOf(names)})`,
  active: (active) => sql`active = ${active}`,
  deleted: (deleted) => sql`deleted = ${deleted}`,
  search: (text) => matches(text, "name", "login", "email"),
};

const page = pagedList<typeof userList, "users", User>({
  tables: (db) => db.selectFrom("users"),
  columns,
  id: columns.id,
  select,
});

export function users(db: Db | Tx) {
  return {
    find: (query: ListQuery<typeof userList>): Promise<Found<User>> => page({ db, query, filters }),

    byId: (id: number): Promise<User | undefined> =>
      select(db.selectFrom("users")).where("users.id", "=", id).executeTakeFirst(),

    idOfLogin: async (login: string): Promise<number | undefined> => (await personByLogin(db, login))?.id,

    /** All users who are not deleted, by login. */
    all: (): Promise<User[]> =>
      select(db.selectFrom("users")).where("users.deleted", "=", false).orderBy("login").execute(),

    /** Run by the caller, alone or within a larger statement. */
    ofIds: (ids: readonly number[]) => select(db.selectFrom("users")).where(isOneOf("users.id", ids)),

    async lock(id: number): Promise<User | undefined> {
      await lockUser(db, id);
      return select(db.selectFrom("users")).where("users.id", "=", id).executeTakeFirst();
    },

    async otherActiveAdministrators(id: number): Promise<boolean> {
      const other = await db
        .selectFrom("users")
        .select("id")
        .where("rank", "=", rankOf("admin"))
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where("id", "<>", id)
        .executeTakeFirst();
      return other !== undefined;
    },

    async update(
      id: number,
      changes: { rank?: number; active?: boolean; deleted?: boolean; deletion_id?: string | null },
    ): Promise<void> {
      await db.updateTable("users").set(changes).where("id", "=", id).execute();
    },

    /** Soft-deletes the maintainer records of a role that the user has left. */
    async leaveRecords(
      table: "package_maintainers" | "repository_maintainers",
      id: number,
      deletionId: string,
    ): Promise<void> {
      await db
        .updateTable(table)
        .set({ deleted: true, deletion_id: deletionId })
        .where("user_id", "=", id)
        .where("deleted", "=", false)
        .execute();
    },
  };
}
