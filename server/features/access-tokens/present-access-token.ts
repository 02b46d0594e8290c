import type { accessTokenItem } from "@packhouse/contract/access-tokens";
import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import { may } from "@packhouse/contract/permissions";
import { relationTo } from "../../http/actor.ts";
import type { Viewer } from "../../http/application.ts";
import type { Clock } from "../../platform/clock.ts";
import { dayMs } from "./access-token.ts";
import type { AccessToken } from "./store.ts";

/** A token without links and without its value, which is not stored. */
export const accessTokenBody = (row: AccessToken, now: Date) => ({
  id: row.id,
  name: row.name,
  value: null,
  creationDate: instantText(row.created_on),
  expirationDate: instantText(row.expires_on),
  active: row.active,
  deleted: false,
  user: row.user,
  lastUsed: row.last_used_on ? instantText(row.last_used_on) : "",
  expired: row.expires_on < now,
  lifetime: Math.round((row.expires_on.getTime() - row.created_on.getTime()) / dayMs),
});

export const presentAccessToken =
  (clock: Clock) =>
  (row: AccessToken, { actor, api }: Viewer): Sent<typeof accessTokenItem> => {
    const self = `${api}/access-tokens/${row.id}`;
    const relation = relationTo(actor, { ownerId: row.user_id });
    return {
      ...accessTokenBody(row, clock()),
      links: [
        { rel: "self", href: self },
        { rel: "accessTokenList", href: `${api}/access-tokens` },
        // An inactive token is frozen.
        ...(row.active && may("editAccessToken", actor, relation)
          ? [{ rel: "self", href: self, type: "PATCH" as const }]
          : []),
        ...(may("deleteAccessToken", actor, relation) ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
      ],
    };
  };
