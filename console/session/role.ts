import { type RoleName, roleName, roles } from "@packhouse/contract/roles";
import type { UserItem } from "@packhouse/contract/users";
import type { TFunction } from "i18next";

/** A role for display; one that only the server knows under the server's own name. */
export function roleLabel(role: string, t: TFunction): string {
  const { data: known } = roleName.safeParse(role);
  return known ? t(`role.${known}`) : role;
}

/** The known role to go by: for an unknown one the highest with no higher number. The server decides anyway. */
export function roleToActBy({ role, roleId }: Pick<UserItem, "role" | "roleId">): RoleName {
  const { data: known } = roleName.safeParse(role);
  return known ?? roles.findLast(({ id }) => id <= roleId)?.name ?? "user";
}
