import { anyResourceFilter, anyResourceType } from "@packhouse/contract/events";
import { type Icon, IconFile } from "@tabler/icons-react";
import type { TFunction } from "i18next";
import { resourceIcons } from "./event-icons.ts";

/** The label for an event's subject; unknown kinds are shown by the server's own name. */
export function resourceLabel(type: string, t: TFunction): string {
  const { data: known } = anyResourceType.safeParse(type);
  return known ? t(`eventResource.${anyResourceFilter[known]}`) : type.toLowerCase().replaceAll("_", " ");
}

export function resourceIcon(type: string): Icon {
  const { data: known } = anyResourceType.safeParse(type);
  return known ? resourceIcons[known] : IconFile;
}
