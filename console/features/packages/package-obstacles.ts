import type { PublicConfiguration } from "@packhouse/contract/configuration";
import { mayDelete, mayPatch } from "@packhouse/contract/links";
import type { PackageItem } from "@packhouse/contract/packages";
import type { TFunction } from "i18next";

interface ObstacleContext {
  t: TFunction;
  configuration: PublicConfiguration | undefined;
}

/** The first reason why a package cannot be deleted; undefined if it can. */
export function whyNotDelete(item: PackageItem, { t, configuration }: ObstacleContext): string | undefined {
  if (configuration?.deletingPackagesEnabled === false) return t("reason.deletingPackagesOff");
  if (item.deleted) return t("reason.deleted", { what: t("resource.package") });
  return mayDelete(item) ? undefined : t("reason.notAuthorized");
}

/** The first reason why a package cannot be activated or deactivated. */
export function whyNotActivate(item: PackageItem, { t }: Pick<ObstacleContext, "t">): string | undefined {
  if (item.deleted) return t("reason.deleted", { what: t("resource.package") });
  if (item.submission.state !== "ACCEPTED") return t("reason.notAccepted");
  return mayPatch(item, "active") ? undefined : t("reason.notAuthorized");
}
