import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { links } from "./links.ts";
import { mailChoices } from "./mail.ts";
import { userRef } from "./references.ts";
import { settingsRef } from "./users.ts";

/** Languages of the console, the default first. */
export const supportedLanguages = ["en-US", "pl-PL"] as const;

/** `id` is 0 while the defaults are shown because nothing has been saved yet. */
export const userSettingsItem = settingsRef.extend({
  ...promised({ id: z.int(), user: userRef, links }),
  mail: mailChoices,
});
export type UserSettingsItem = Received<typeof userSettingsItem>;

export const largestStoredPageSize = 1000;
