import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import { may } from "@packhouse/contract/permissions";
import type { sessionItem } from "@packhouse/contract/sessions";
import { relationTo } from "../../http/actor.ts";
import type { Viewer } from "../../http/application.ts";
import type { Session } from "./store.ts";

export function presentSession(row: Session, { actor, api }: Viewer): Sent<typeof sessionItem> {
  const self = `${api}/sessions/${row.id}`;
  const mayEnd = may("endSession", actor, relationTo(actor, { ownerId: row.user_id }));
  return {
    id: row.id,
    device: row.device,
    address: row.address,
    created: instantText(row.created_on),
    lastUsed: instantText(row.last_used_on),
    expires: instantText(row.expires_on),
    current: row.id === actor.sessionId,
    user: row.user,
    links: [
      { rel: "self", href: self },
      { rel: "sessionList", href: `${api}/sessions` },
      ...(mayEnd ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
    ],
  };
}
