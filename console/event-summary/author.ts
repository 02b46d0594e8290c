import type { EventItem } from "@packhouse/contract/events";
import i18next from "i18next";

/** The author of an event. What a mirror imports is recorded under an administrator, who did not do it. */
export function authorOf({ user, changedProperties }: EventItem): string {
  const mirror = changedProperties.find(({ property }) => property === "mirror")?.valueAfter;
  return mirror ? i18next.t("event.byMirror", { name: mirror }) : user.name;
}
