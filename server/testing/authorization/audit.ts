import type { EventType, ResourceType } from "@packhouse/contract/events";
import type { OperationName } from "@packhouse/contract/operations";
import type { SecurityEventType, SecurityResourceType } from "@packhouse/contract/security-events";
import { sql } from "kysely";
import type { TestPackhouse } from "../packhouse.ts";

type Audit = `${EventType} ${ResourceType}` | `${SecurityEventType} ${SecurityResourceType}`;

const resources: Record<string, ResourceType> = {
  users: "USER",
  "access-tokens": "ACCESS_TOKEN",
  repositories: "REPOSITORY",
  packages: "PACKAGE",
  submissions: "SUBMISSION",
  "package-maintainers": "PACKAGE_MAINTAINER",
  "repository-maintainers": "REPOSITORY_MAINTAINER",
};
const types: Record<string, EventType> = { POST: "create", PATCH: "update", DELETE: "delete" };

/** The events that a successful call writes; checks and reads write none. */
export function auditOf(route: OperationName, state: string): Audit | `${Audit},${Audit}` | undefined {
  const [method = "", path = ""] = route.split(" ");
  const resource = resources[/^\/(?:r\/|python\/)?([\w-]+)/.exec(path)?.[1] ?? ""];
  if (route === "PATCH /user-settings/:id") return "settingsChange USER";
  if (route === "POST /logout") return "signOut USER";
  if (/\/sessions\/:id$/.test(path) && method === "DELETE") return "sessionEnd USER";
  if (/\/(password|password-link|temporary-password)$/.test(path)) return "passwordChange USER";
  if (route === "DELETE /users/:id/sessions") return state === "own" ? "sessionEnd USER" : undefined;
  if (path.endsWith("/synchronize-mirrors") || path.endsWith("/enrollment")) return undefined;
  if (method === "POST" && /second-factors/.test(path)) return "secondFactorChange USER";
  // An unpublished repository is published instead.
  if (path.endsWith("/republish")) return state === "live" ? "republish REPOSITORY" : "update REPOSITORY";
  // What only concerns the caller is not recorded.
  if (/\/(marks|looking)$/.test(path)) return undefined;
  const isReview =
    /\/(decisions?|comments|assignment|checks|assessment)$/.test(path) || path.startsWith("/review-comments/");
  if (isReview && method !== "GET") return "update SUBMISSION";
  if (resource === "SUBMISSION" && method === "POST") return "upload SUBMISSION";
  // Its deletion, the only change of a waiting package, cancels the submission.
  if (resource === "PACKAGE" && method === "PATCH" && state === "waiting") return "update SUBMISSION,update PACKAGE";
  const type = types[method];
  return type && resource ? `${type} ${resource}` : undefined;
}

/** The newest events of both kinds, to find later ones. */
export interface Newest {
  event: number;
  securityEvent: number;
}

export async function newestEvent(it: TestPackhouse): Promise<Newest> {
  const { rows } = await sql<Newest>`
    select (select coalesce(max(id), 0) from events) as event,
      (select coalesce(max(id), 0) from security_events) as "securityEvent"`.execute(it.deps.db);
  const [newest] = rows;
  if (!newest) throw new Error("there is one row");
  return newest;
}

/** Events since then, except created test accounts and first uses of access tokens. */
export async function eventsSince(it: TestPackhouse, newest: Newest): Promise<string[]> {
  const { rows } = await sql<{ event_type: string; resource_type: string }>`
    select 1 as log, id, event_type, resource_type from events where id > ${newest.event}
    union all
    select 2, id, event_type, resource_type from security_events
    where id > ${newest.securityEvent} and event_type not in ('tokenUse', 'accountCreate')
    order by log, id`.execute(it.deps.db);
  return rows.map(({ event_type, resource_type }) => `${event_type} ${resource_type}`);
}
