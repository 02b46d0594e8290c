import { type MailChoices, usualMail } from "@packhouse/contract/mail";
import type { UserRef } from "@packhouse/contract/references";
import type { SettingsRef } from "@packhouse/contract/users";
import { sql } from "kysely";
import type { Db, Tx } from "../../platform/db/database.ts";
import { userRef } from "../../platform/db/pages/user-ref.ts";
import { storedJson } from "../../platform/db/stored-json.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";

export interface UserSettings extends SettingsRef {
  mail: MailChoices;
}

/** A user's saved settings; with none saved, `id` is 0 and `saved` null. */
export interface SavedSettings {
  id: number;
  saved: UserSettings | null;
  user: UserRef;
}

export function userSettings(db: Db | Tx) {
  const ofUser = (userId: number) =>
    db
      .selectFrom("users")
      .leftJoin("user_settings", "user_settings.user_id", "users.id")
      .where("users.id", "=", userId)
      .where("users.deleted", "=", false)
      .select(sql<number>`coalesce(user_settings.id, 0)`.as("id"))
      .select(
        sql<UserSettings | null>`case when user_settings.id is not null then json_build_object('language', language,
          'theme', theme, 'pageSize', page_size, 'mail', ${JSON.stringify(usualMail)}::jsonb || mail) end`.as("saved"),
      )
      .select(userRef("users").as("user"));

  return {
    /** Undefined for users who do not exist or are deleted. */
    of: (userId: number): Promise<SavedSettings | undefined> => ofUser(userId).executeTakeFirst(),

    /** Two windows of one user may save at the same time: neither may undo the other's change. */
    async lock(userId: number): Promise<SavedSettings | undefined> {
      await lockUser(db, userId);
      return ofUser(userId).executeTakeFirst();
    },

    async save(userId: number, { language, theme, pageSize, mail }: UserSettings): Promise<void> {
      const values = { language, theme, page_size: pageSize, mail: storedJson(mail) };
      await db
        .insertInto("user_settings")
        .values({ user_id: userId, ...values })
        .onConflict((conflict) => conflict.column("user_id").doUpdateSet(values))
        .execute();
    },
  };
}
