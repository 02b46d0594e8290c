import { Refusal } from "../../platform/errors/refusal.ts";
import type { Settings } from "../../platform/settings/settings.ts";

/** Where files declare the repositories, nobody else creates, changes, publishes or deletes them. */
export function refuseInDeclarativeMode(settings: Pick<Settings, "declarative.enabled">): void {
  if (settings["declarative.enabled"]) throw new Refusal("repository.declarative.mode");
}
