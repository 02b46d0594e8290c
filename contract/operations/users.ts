import { z } from "zod";
import { promised } from "../answer.ts";
import { links } from "../links.ts";
import { edit, list, read } from "../operation.ts";
import { roleItem } from "../roles.ts";
import { userItem, userList } from "../users.ts";

export const listUsers = list(userList, { permission: "listUsers", summary: "Users" });
export const listRoles = read("/users/roles", {
  permission: "listUsers",
  summary: "All roles",
  data: z.object({ links, ...promised({ content: z.array(roleItem) }) }),
});
export const readOwnUser = read("/users/me", {
  permission: "readOwnUser",
  summary: "The caller",
  data: userItem,
});
export const readUser = read("/users/:id", {
  permission: "readUser",
  summary: "A user",
  data: userItem,
  codes: ["user.notfound"],
});
export const editUser = edit("/users/:id", {
  permission: "editUser",
  summary: "Change the role of a user, or activate, deactivate, delete or restore a user",
  data: userItem,
  codes: ["user.notfound", "editing.deleted.resource.not.possible"],
});
export const userOperations = [listUsers, listRoles, readOwnUser, readUser, editUser] as const;
