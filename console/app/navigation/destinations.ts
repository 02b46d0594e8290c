import { type Ability, can } from "@packhouse/contract/abilities";
import type { RoleName } from "@packhouse/contract/roles";
import {
  IconCalendarEvent,
  IconCloudUpload,
  IconFolderRoot,
  IconKey,
  IconMail,
  IconPackage,
  IconSettings,
  IconUserCog,
  IconUserShield,
  IconUsers,
  IconZoomCheck,
} from "@tabler/icons-react";
import { isKnownMissing } from "../../api/missing-routes.ts";

/** The places that the drawer, the bottom bar, the search and the keys lead to. */
const all = [
  { name: "events", to: "/events", label: "nav.events", icon: IconCalendarEvent, ability: "GET events", key: "e" },
  {
    name: "addSubmission",
    to: "/upload-packages",
    label: "nav.upload",
    icon: IconCloudUpload,
    ability: "POST submissions",
    key: "u",
  },
  { name: "packages", to: "/packages", label: "nav.packages", icon: IconPackage, ability: "GET packages", key: "p" },
  {
    name: "packageMaintainers",
    to: "/package-maintainers",
    label: "nav.packageMaintainers",
    icon: IconUserCog,
    ability: "GET packageMaintainers",
  },
  {
    name: "repositories",
    to: "/repositories",
    label: "nav.repositories",
    icon: IconFolderRoot,
    ability: "GET repositories",
    key: "r",
  },
  {
    name: "repositoryMaintainers",
    to: "/repository-maintainers",
    label: "nav.repositoryMaintainers",
    icon: IconUserShield,
    ability: "GET repositoryMaintainers",
  },
  { name: "users", to: "/users", label: "nav.users", icon: IconUsers, ability: "GET users" },
  {
    name: "submissions",
    to: "/submissions",
    label: "nav.submissions",
    icon: IconMail,
    ability: "GET submissions",
    key: "s",
  },
  {
    name: "review",
    to: "/review",
    label: "nav.review",
    icon: IconZoomCheck,
    ability: "GET reviews",
    key: "v",
  },
  {
    name: "settingsGeneral",
    to: "/settings-general",
    label: "nav.general",
    icon: IconSettings,
    ability: "GET settings",
    settings: true,
  },
  {
    name: "settingsTokens",
    to: "/settings-tokens",
    label: "nav.tokens",
    icon: IconKey,
    ability: "GET settings",
    settings: true,
  },
] as const satisfies {
  name: string;
  to: string;
  label: string;
  icon: typeof IconMail;
  ability: Ability;
  /** Pressed after `g`. */
  key?: string;
  settings?: boolean;
}[];
export type Destination = (typeof all)[number];

/** Other servers with the same API may have no review desk. */
export const destinationsOf = (role: RoleName): Destination[] =>
  all.filter(({ name, ability }) => can(role, ability) && (name !== "review" || !isKnownMissing({ path: "/reviews" })));
