import type { Sent } from "@packhouse/contract/answer";
import { instantText } from "@packhouse/contract/envelope";
import { type Link, patchLink } from "@packhouse/contract/links";
import { may } from "@packhouse/contract/permissions";
import type { pythonRepositoryItem, repositoryItem, rRepositoryItem } from "@packhouse/contract/repositories";
import { technologyPath } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";
import { relationTo } from "../../http/actor.ts";
import type { Viewer } from "../../http/application.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import type { Repository } from "./store.ts";

/** A repository as the API shows it, without the fields of its technology and without links. */
export function repositoryBody(row: Repository, settings: Pick<Settings, "r.distributions">) {
  return {
    id: row.id,
    version: row.version,
    publicationUri: row.publication_uri,
    name: row.name,
    serverAddress: row.server_address,
    deleted: row.deleted,
    published: row.published,
    synchronizing: row.synchronizing,
    technology: row.technology,
    requiresAuthentication: row.requires_authentication,
    numberOfPackages: row.number_of_packages,
    lastPublicationTimestamp: row.last_publication_on ? instantText(row.last_publication_on) : "",
    lastModifiedTimestamp: instantText(row.last_modified_on),
    lastPublicationSuccessful: row.last_publication_successful,
    allowedFiles: formatOf(row.technology).allowedFiles(settings["r.distributions"]),
    reservedNames: row.reserved_names,
    requiredChecks: row.required_checks,
  };
}

/** With the fields of its technology: the form of `/r/repositories` and `/python/repositories`. */
export const technologyFields = {
  R: (row: Repository) => ({ redirectToSource: row.redirect_to_source }),
  Python: (row: Repository) => ({ hashMethod: row.hash_method }),
} as const;

type PresentSettings = Pick<Settings, "declarative.enabled" | "deleting.repositories" | "r.distributions">;

export function repositoryPresenter(settings: PresentSettings) {
  const linksOf = (row: Repository, viewer: Viewer, listPath: string): Link[] => {
    const self = `${viewer.api}/${technologyPath[row.technology]}/repositories/${row.id}`;
    const relation = relationTo(viewer.actor, { repositoryId: row.id });
    const edits = may("editRepository", viewer.actor, relation);
    const purges = may("purgeRepository", viewer.actor, relation);
    const links: Link[] = [
      { rel: "self", href: self },
      { rel: "repositoryList", href: viewer.api + listPath },
    ];
    const declared = settings["declarative.enabled"];
    // A deleted repository can only be restored or purged, both by administrators.
    if (!declared && (row.deleted ? may("seeDeleted", viewer.actor) : edits))
      links.push(patchLink(self, { onlyDeletion: row.deleted }));
    if (!declared && settings["deleting.repositories"] && (row.deleted ? purges : edits))
      links.push({ rel: "self", href: self, type: "DELETE" });
    // Republishing would publish what is unpublished: in declarative mode only the declaration may.
    if (!row.deleted && (row.published || !declared) && may("publishRepository", viewer.actor, relation))
      links.push({ rel: "republish", href: `${self}/republish`, type: "POST" });
    if (!row.deleted && may("synchronizeRepository", viewer.actor, relation))
      links.push({ rel: "synchronize", href: `${self}/synchronize-mirrors`, type: "POST" });
    return links;
  };
  const pathOf = (row: Repository) => `/${technologyPath[row.technology]}/repositories`;

  const presenters = {
    R: (row: Repository, viewer: Viewer): Sent<typeof rRepositoryItem> => ({
      ...repositoryBody(row, settings),
      ...technologyFields.R(row),
      links: linksOf(row, viewer, pathOf(row)),
    }),
    Python: (row: Repository, viewer: Viewer): Sent<typeof pythonRepositoryItem> => ({
      ...repositoryBody(row, settings),
      ...technologyFields.Python(row),
      links: linksOf(row, viewer, pathOf(row)),
    }),
  };

  return {
    ...presenters,
    /** For the list of both technologies. */
    base: (row: Repository, viewer: Viewer): Sent<typeof repositoryItem> => ({
      ...repositoryBody(row, settings),
      links: linksOf(row, viewer, "/repositories"),
    }),
    /** With the fields of its technology. */
    own: (row: Repository, viewer: Viewer) => presenters[row.technology](row, viewer),
  };
}
