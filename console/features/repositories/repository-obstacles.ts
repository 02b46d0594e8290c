import type { PublicConfiguration } from "@packhouse/contract/configuration";
import { mayDelete, mayPatch, offers } from "@packhouse/contract/links";
import type { RepositoryItem } from "@packhouse/contract/repositories";
import { hasRole } from "@packhouse/contract/roles";
import type { TFunction } from "i18next";
import type { OwnUser } from "../../session/session.ts";

interface ObstacleContext {
  t: TFunction;
  configuration: PublicConfiguration | undefined;
  user: OwnUser;
}
type Obstacle = (item: RepositoryItem, context: ObstacleContext) => string | undefined;

const deleted: Obstacle = (item, { t }) =>
  item.deleted ? t("reason.deleted", { what: t("resource.repository") }) : undefined;

/** The first reason why a repository cannot be changed this way; undefined if it can. */
export const whyNotEdit: Obstacle = (item, its) =>
  its.configuration?.declarativeModeEnabled
    ? its.t("reason.declarativeEdit")
    : (deleted(item, its) ?? (mayPatch(item, "name") ? undefined : its.t("reason.notAuthorized")));

export const whyNotDelete: Obstacle = (item, its) => {
  if (its.configuration?.declarativeModeEnabled) return its.t("reason.declarativeDelete");
  if (its.configuration?.deletingRepositoriesEnabled === false) return its.t("reason.deletingRepositoriesOff");
  return deleted(item, its) ?? (mayDelete(item) ? undefined : its.t("reason.notAuthorized"));
};

export const whyNotPublish: Obstacle = (item, its) =>
  its.configuration?.declarativeModeEnabled
    ? its.t("reason.declarativePublish")
    : (deleted(item, its) ?? (mayPatch(item, "published") ? undefined : its.t("reason.notAuthorized")));

/** A separate link states whether it may be republished; where a server sends none, the rank decides. */
const mayPublishAgain = (item: RepositoryItem, rel: "republish" | "synchronize", user: OwnUser): boolean => {
  const hasOwnLinks = item.links.some(({ type }) => type === "POST");
  return hasOwnLinks ? offers(item, rel) : mayPatch(item, "published") || hasRole(user.role, "admin");
};

export const whyNotRepublish: Obstacle = (item, its) => {
  const { t, configuration, user } = its;
  const may = mayPublishAgain(item, "republish", user);
  if (configuration?.declarativeModeEnabled && !may) return t("reason.declarativeRepublish");
  if (deleted(item, its)) return deleted(item, its);
  if (!item.published) return t("reason.notPublished");
  return may ? undefined : t("reason.notAuthorized");
};

export const maySynchronize = (item: RepositoryItem, user: OwnUser): boolean =>
  !item.deleted && hasRole(user.role, "repositorymaintainer") && mayPublishAgain(item, "synchronize", user);
