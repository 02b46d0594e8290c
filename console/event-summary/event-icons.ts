import { type AnyEventType, type AnyResourceType, anyEventType } from "@packhouse/contract/events";
import {
  type Icon,
  IconAdjustments,
  IconCloudUpload,
  IconDeviceLaptopOff,
  IconDownload,
  IconFilePlus,
  IconFolderRoot,
  IconKey,
  IconLock,
  IconLogin,
  IconLogout,
  IconMail,
  IconPackage,
  IconRefresh,
  IconRotate,
  IconServerCog,
  IconShieldLock,
  IconTrash,
  IconUser,
  IconUserCog,
  IconUserEdit,
  IconUserPlus,
  IconUserQuestion,
  IconUserShield,
} from "@tabler/icons-react";

const typeIcons: Record<AnyEventType, Icon> = {
  create: IconFilePlus,
  delete: IconTrash,
  republish: IconRotate,
  update: IconRefresh,
  upload: IconCloudUpload,
  signIn: IconLogin,
  signInFailed: IconUserQuestion,
  signOut: IconLogout,
  sessionEnd: IconDeviceLaptopOff,
  passwordChange: IconLock,
  secondFactorChange: IconShieldLock,
  accountCreate: IconUserPlus,
  accountChange: IconUserEdit,
  settingsChange: IconAdjustments,
  tokenUse: IconKey,
  configurationChange: IconServerCog,
  download: IconDownload,
};
/** The icon for an event's type; types that only the server knows share one. */
export function eventTypeIcon(type: string): Icon {
  const { data: known } = anyEventType.safeParse(type);
  return known ? typeIcons[known] : IconRefresh;
}
export const resourceIcons: Record<AnyResourceType, Icon> = {
  PACKAGE: IconPackage,
  REPOSITORY: IconFolderRoot,
  SUBMISSION: IconMail,
  USER: IconUser,
  PACKAGE_MAINTAINER: IconUserCog,
  REPOSITORY_MAINTAINER: IconUserShield,
  ACCESS_TOKEN: IconKey,
  SERVER: IconServerCog,
};
