import { type EventType, eventType, type ResourceType } from "@packhouse/contract/events";
import {
  type Icon,
  IconCloudUpload,
  IconFilePlus,
  IconFolderRoot,
  IconKey,
  IconMail,
  IconPackage,
  IconRefresh,
  IconRotate,
  IconTrash,
  IconUser,
  IconUserCog,
  IconUserShield,
} from "@tabler/icons-react";

const typeIcons: Record<EventType, Icon> = {
  create: IconFilePlus,
  delete: IconTrash,
  republish: IconRotate,
  update: IconRefresh,
  upload: IconCloudUpload,
};
/** The icon of an event's type; types that only the server knows share one. */
export function eventTypeIcon(type: string): Icon {
  const { data: known } = eventType.safeParse(type);
  return known ? typeIcons[known] : IconRefresh;
}
export const resourceIcons: Record<ResourceType, Icon> = {
  PACKAGE: IconPackage,
  REPOSITORY: IconFolderRoot,
  SUBMISSION: IconMail,
  USER: IconUser,
  PACKAGE_MAINTAINER: IconUserCog,
  REPOSITORY_MAINTAINER: IconUserShield,
  ACCESS_TOKEN: IconKey,
};
