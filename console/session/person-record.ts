import { type RoleName, roleName, roles } from "@packhouse/contract/roles";
import { userItem, userList } from "@packhouse/contract/users";
import type { TFunction } from "i18next";
import { z } from "zod";

/** A person as another server may tell it: it may know roles that the contract does not. */
export const personRecord = userItem.extend({ role: z.string() });
export type PersonRecord = z.infer<typeof personRecord>;
export const personRecords = { ...userList, item: personRecord };

/** A role for people; an unknown one under the server's own name. */
export function roleLabel(role: string, t: TFunction): string {
  const { data: known } = roleName.safeParse(role);
  return known ? t(`role.${known}`) : role;
}

/** The known role that somebody may act by: of an unknown one the highest with no higher number. The server decides anyway. */
export function roleToActBy({ role, roleId }: PersonRecord): RoleName {
  const { data: known } = roleName.safeParse(role);
  return known ?? roles.findLast(({ id }) => id <= roleId)?.name ?? "user";
}
