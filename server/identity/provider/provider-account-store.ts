import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import type { NewUserRow } from "../../platform/db/schema.ts";
import { nameKey, skeletons } from "../../platform/names/confusables.ts";
import { localIssuer } from "../accounts/accounts-of-settings.ts";

interface LoginRules {
  /** The setting `auth.oidc.admins`. */
  admins: readonly string[];
  allowLookalikes: boolean;
  /** Whether the login of the identity is acceptable in itself for an account. */
  loginMayBeTaken: boolean;
}

/** Accounts of users who sign in at a provider. */
export function providerAccounts(db: Db | Tx) {
  return {
    /**
     * `login_kept`: the token's login differs from the account's and is not available. The subselects run only when
     * needed: when a login has changed, and for names in the list of administrators.
     */
    find({ issuer, subject, login }: { issuer: string; subject: string; login: string }, rules: LoginRules) {
      const { admins, loginMayBeTaken } = rules;
      const lookalikes = rules.allowLookalikes ? [] : skeletons(login);
      return db
        .selectFrom("users")
        .select([
          "id",
          "login",
          "issuer",
          "subject",
          "name",
          "email",
          "rank",
          "active",
          "deleted",
          "last_signed_in_on",
          "provider_sign_in",
          "groups",
        ])
        .select(
          sql<boolean>`(users.login <> ${login} and (${!loginMayBeTaken} or exists (
            select from users other
            where (other.login = ${login} or other.login_key = ${nameKey(login)} or other.login_skeletons && ${lookalikes}::text[])
              and not other.deleted and other.id <> users.id)))`.as("login_kept"),
        )
        .select(
          sql<boolean>`(${admins.includes(subject)} and exists (
            select from users other
            where (other.login = ${subject} or other.login_key = ${nameKey(subject)}) and other.id <> users.id))`.as(
            "subject_is_other_login",
          ),
        )
        .select(
          sql<boolean>`(users.login = any(${[...admins]}::text[]) and exists (
            select from users other
            where ((other.issuer = users.issuer and other.subject = users.login)
              or other.login = users.login or other.login_key = users.login_key) and other.id <> users.id))`.as(
            "login_is_other_subject",
          ),
        )
        .where("issuer", "=", issuer)
        .where("subject", "=", subject)
        .executeTakeFirst();
    },

    /** Local accounts with a login or an email address, locked; two are enough to detect ambiguity. */
    lockLocal: (by: "login" | "verified-email", { login, email }: { login: string; email?: string | undefined }) =>
      db
        .selectFrom("users")
        .select("id")
        .where("issuer", "=", localIssuer)
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where(by === "login" ? sql<boolean>`login = ${login}` : sql<boolean>`lower(email) = lower(${email})`)
        .forUpdate()
        .execute(),

    async update(id: number, columns: Partial<NewUserRow>): Promise<void> {
      await db.updateTable("users").set(columns).where("id", "=", id).execute();
    },
  };
}
