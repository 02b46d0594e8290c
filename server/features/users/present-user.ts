import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import type { Link } from "@packhouse/contract/links";
import { may } from "@packhouse/contract/permissions";
import { roleOfRank } from "@packhouse/contract/roles";
import type { SettingsRef, userItem } from "@packhouse/contract/users";
import { relationTo } from "../../http/actor.ts";
import type { Viewer } from "../../http/application.ts";
import type { User } from "./store.ts";
import { modifiableProperties } from "./user.ts";

const optionalInstantText = (at: Date | null): string => (at ? instantText(at) : "");

/** A user without links. */
export function userBody(row: User) {
  const role = roleOfRank(row.rank);
  return {
    id: row.id,
    name: row.name,
    email: row.email,
    login: row.login,
    active: row.active,
    lastLoggedInOn: optionalInstantText(row.last_signed_in_on),
    createdOn: instantText(row.created_on),
    deleted: row.deleted,
    roleId: role.id,
    role: role.name,
    expirationDate: row.expires_on ? instantText(row.expires_on) : null,
    userSettings: row.settings,
  };
}

export function presentUser(row: User, { actor, api }: Viewer): Sent<typeof userItem> {
  const self = `${api}/users/${row.id}`;
  const links: Link[] = [{ rel: "self", href: self }];
  if (may("listUsers", actor)) links.push({ rel: "userList", href: `${api}/users` });
  const fields = modifiableProperties(actor, row);
  if (fields.length > 0) links.push({ rel: "self", href: self, type: "PATCH", modifiableProperties: fields });
  if (row.second_factors > 0 && may("resetSecondFactors", actor, relationTo(actor, { ownerId: row.id })))
    links.push({ rel: "resetSecondFactors", href: `${self}/reset-second-factors`, type: "POST" });
  return { ...userBody(row), hasPassword: row.has_password, links };
}

/** The caller's own account: settings filled in, and the previous sign-in, which shows what is new since. */
export function presentOwnUser(row: User, viewer: Viewer, defaults: SettingsRef): Sent<typeof userItem> {
  return {
    ...presentUser(row, viewer),
    lastLoggedInOn: optionalInstantText(row.previous_signed_in_on),
    userSettings: row.settings ?? defaults,
  };
}
