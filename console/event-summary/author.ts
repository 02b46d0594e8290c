import type { EventItem } from "@packhouse/contract/events";
import i18next from "i18next";

/** Who did it. What a mirror brings is recorded under an administrator, who has not done it. */
export function authorOf({ user, changedProperties }: EventItem): string {
  const mirror = changedProperties.find(({ property }) => property === "mirror")?.valueAfter;
  return mirror ? i18next.t("event.byMirror", { name: mirror }) : user.name;
}
