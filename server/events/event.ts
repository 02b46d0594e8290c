import type { ResourceType } from "@packhouse/contract/events";
import { may } from "@packhouse/contract/permissions";
import type { Actor } from "../sign-in/actor.ts";

/** Events of what is gone for good are there for administrators only. */
export const exists = (actor: Actor, event: { purged: boolean }): boolean => !event.purged || may("seeDeleted", actor);

/** People with the lowest role learn of accounts only what concerns their own. */
export const mayRead = (actor: Actor, event: { resource_type: ResourceType; resource_id: number }): boolean =>
  event.resource_type !== "USER" || event.resource_id === actor.id || actor.role !== "user";
