import { z } from "zod";
import { links } from "./links.ts";
import { userRef } from "./references.ts";
import { settingsRef } from "./users.ts";

/** `id` is 0 while the defaults are shown because nothing was saved yet. */
export const userSettingsItem = settingsRef.extend({ id: z.int(), user: userRef, links });
export type UserSettingsItem = z.infer<typeof userSettingsItem>;

export const largestStoredPageSize = 1000;
