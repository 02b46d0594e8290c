import type { PublicConfiguration } from "@packhouse/contract/configuration";
import { mayDelete, mayPatch } from "@packhouse/contract/links";
import type { PackageItem } from "@packhouse/contract/packages";
import type { TFunction } from "i18next";

interface Circumstances {
  t: TFunction;
  configuration: PublicConfiguration | undefined;
}

/** The first reason why a package cannot be deleted; undefined if it can. */
export function whyNotDelete(item: PackageItem, { t, configuration }: Circumstances): string | undefined {
  if (configuration?.deletingPackagesEnabled === false) return t("reason.deletingPackagesOff");
  if (item.deleted) return t("reason.deleted", { what: t("resource.package") });
  if (item.submission.state !== "ACCEPTED") return t("reason.notAccepted");
  return mayDelete(item) ? undefined : t("reason.notAuthorized");
}

/** The first reason why a package cannot be activated or deactivated. */
export function whyNotActivate(item: PackageItem, { t }: Pick<Circumstances, "t">): string | undefined {
  if (item.deleted) return t("reason.deleted", { what: t("resource.package") });
  if (item.submission.state !== "ACCEPTED") return t("reason.notAccepted");
  return mayPatch(item, "active") ? undefined : t("reason.notAuthorized");
}
