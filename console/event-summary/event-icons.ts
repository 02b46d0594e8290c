import type { EventType, ResourceType } from "@packhouse/contract/events";
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

export const typeIcons: Record<EventType, Icon> = {
  create: IconFilePlus,
  delete: IconTrash,
  republish: IconRotate,
  update: IconRefresh,
  upload: IconCloudUpload,
};
export const resourceIcons: Record<ResourceType, Icon> = {
  PACKAGE: IconPackage,
  REPOSITORY: IconFolderRoot,
  SUBMISSION: IconMail,
  USER: IconUser,
  PACKAGE_MAINTAINER: IconUserCog,
  REPOSITORY_MAINTAINER: IconUserShield,
  ACCESS_TOKEN: IconKey,
};
