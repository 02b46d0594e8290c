import { z } from "zod";
import { promised } from "./answer.ts";

export const roleName = z.enum(["user", "packagemaintainer", "repositorymaintainer", "admin"]);
export type RoleName = z.infer<typeof roleName>;

export const roleItem = z.object(
  promised({
    id: z.int(),
    value: z.int(),
    name: z.string(),
    description: z.string(),
  }),
);
export type Role = z.infer<typeof roleItem>;

/** The fixed roles, lowest first. A role includes all roles before it: its `value` is its rank. */
export const roles = [
  { id: 1, value: 0, name: "user", description: "User" },
  { id: 2, value: 1, name: "packagemaintainer", description: "Package Maintainer" },
  { id: 3, value: 2, name: "repositorymaintainer", description: "Repository Maintainer" },
  { id: 4, value: 3, name: "admin", description: "Administrator" },
] as const satisfies (Role & { name: RoleName })[];

/** The role of a rank from 0 to 3. */
export const roleOfRank = (rank: number) => roles.find(({ value }) => value === rank) ?? roles[0];

export const rankOf = (name: RoleName): number => roleName.options.indexOf(name);

export const hasRole = (name: RoleName, atLeast: RoleName): boolean => rankOf(name) >= rankOf(atLeast);
