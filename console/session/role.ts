import { type RoleName, roleName, roles } from "@packhouse/contract/roles";
import type { UserItem } from "@packhouse/contract/users";
import type { TFunction } from "i18next";

/** A role for display; one that only the server knows is shown by the server's own name. */
export function roleLabel(role: string, t: TFunction): string {
  const { data: known } = roleName.safeParse(role);
  return known ? t(`role.${known}`) : role;
}

/** The effective role: for an unknown one, the highest known role that does not exceed it. The server decides anyway. */
export function effectiveRole({ role, roleId }: Pick<UserItem, "role" | "roleId">): RoleName {
  const { data: known } = roleName.safeParse(role);
  return known ?? roles.findLast(({ id }) => id <= roleId)?.name ?? "user";
}
