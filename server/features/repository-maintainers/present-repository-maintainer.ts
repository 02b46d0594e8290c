import type { Sent } from "@packhouse/contract/answer";
import { patchLink } from "@packhouse/contract/links";
import type { repositoryMaintainerItem } from "@packhouse/contract/repository-maintainers";
import type { Viewer } from "../../http/application.ts";
import { canDelete, canPatch } from "./repository-maintainer.ts";
import type { RepositoryMaintainer } from "./store.ts";

/** A repository maintainer without links. */
export const repositoryMaintainerBody = (row: RepositoryMaintainer) => ({
  id: row.id,
  user: row.user,
  repository: row.repository,
  deleted: row.deleted,
  description: null,
});

export function presentRepositoryMaintainer(
  row: RepositoryMaintainer,
  { actor, api }: Viewer,
): Sent<typeof repositoryMaintainerItem> {
  const self = `${api}/repository-maintainers/${row.id}`;
  return {
    ...repositoryMaintainerBody(row),
    links: [
      { rel: "self", href: self },
      { rel: "repositoryMaintainerList", href: `${api}/repository-maintainers` },
      ...(canPatch(actor, row) ? [patchLink(self, row)] : []),
      ...(canDelete(actor, row) ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
    ],
  };
}
