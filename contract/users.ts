import { z } from "zod";
import { promised, type Received, readBy } from "./answer.ts";
import { optionalInstant } from "./envelope.ts";
import { shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, flag, listContract, text } from "./list-contract.ts";
import { roleName } from "./roles.ts";

export const theme = z.enum(["dark", "light"]);
export type Theme = z.infer<typeof theme>;

export const settingsRef = z.object(promised({ language: z.string(), theme: z.string(), pageSize: z.int() }));
export type SettingsRef = z.infer<typeof settingsRef>;

export const user = z.object({
  ...promised({
    id: z.int(),
    name: z.string(),
    email: z.string(),
    login: z.string(),
    active: z.boolean(),
    lastLoggedInOn: optionalInstant,
    createdOn: optionalInstant,
    deleted: z.boolean(),
    roleId: z.int(),
    role: readBy(roleName, z.string()),
    userSettings: settingsRef.nullable(),
  }),
  /** After this instant, sign-in is refused; null means never. */
  expirationDate: z.string().nullable(),
});

export const userItem = user.extend({
  ...promised({ links }),
  shortened,
  /** Whether the user can sign in with a password of this server. */
  hasPassword: z.boolean(),
});
export type UserItem = Received<typeof userItem>;

/** `GET /users` */
export const userList = listContract({
  path: "/users",
  item: userItem,
  filters: { role: anyOf((value) => value, { known: roleName.options }), active: flag, deleted: flag, search: text },
  sorts: [
    "id",
    "name",
    "email",
    "login",
    "active",
    "lastLoggedInOn",
    "createdOn",
    "deleted",
    "roleId",
    "role",
    "userSettings",
    "userSettings.language",
    "userSettings.theme",
    "userSettings.pageSize",
  ],
  names: ["name", "login", "email"],
});

/** Fields of a user that an administrator's patch may change. */
export const patchableOfUser = ["deleted", "active", "roleId"] as const;
