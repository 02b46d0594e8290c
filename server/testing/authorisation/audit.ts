import type { EventType, ResourceType } from "@packhouse/contract/events";
import type { RouteName } from "@packhouse/contract/routes";
import { sql } from "kysely";
import type { TestPackhouse } from "../packhouse.ts";

type Audit = `${EventType} ${ResourceType}`;

const resources: Record<string, ResourceType> = {
  users: "USER",
  "access-tokens": "ACCESS_TOKEN",
  "second-factors": "USER",
  repositories: "REPOSITORY",
  packages: "PACKAGE",
  submissions: "SUBMISSION",
  "package-maintainers": "PACKAGE_MAINTAINER",
  "repository-maintainers": "REPOSITORY_MAINTAINER",
};
const types: Record<string, EventType> = { POST: "create", PATCH: "update", DELETE: "delete" };

/** The event that a call writes when it succeeds; settings, checks and reading write none. */
export function auditOf(route: RouteName, state: string): Audit | undefined {
  const [method = "", path = ""] = route.split(" ");
  const resource = resources[/^\/(?:r\/|python\/)?([\w-]+)/.exec(path)?.[1] ?? ""];
  if (/\/(synchronize-mirrors|sessions|password|password-link|temporary-password|enrollment)$/.test(path))
    return undefined;
  // They belong to an account.
  if (path.endsWith("/reset-second-factors") || path.startsWith("/second-factors")) return "update USER";
  // An unpublished repository is published instead.
  if (path.endsWith("/republish")) return state === "live" ? "republish REPOSITORY" : "update REPOSITORY";
  if (resource === "SUBMISSION" && method === "POST") return "upload SUBMISSION";
  const type = types[method];
  return type && resource ? `${type} ${resource}` : undefined;
}

export async function newestEvent(it: TestPackhouse): Promise<number> {
  const { newest } = await it.deps.db
    .selectFrom("events")
    .select(({ fn }) => fn.coalesce(fn.max("id"), sql<number>`0`).as("newest"))
    .executeTakeFirstOrThrow();
  return Number(newest);
}

export async function eventsSince(it: TestPackhouse, newest: number): Promise<string[]> {
  const rows = await it.deps.db
    .selectFrom("events")
    .select(["event_type", "resource_type"])
    .where("id", ">", newest)
    .orderBy("id")
    .execute();
  return rows.map(({ event_type, resource_type }) => `${event_type} ${resource_type}`);
}
