import { may } from "@packhouse/contract/permissions";
import type { RepositoryMaintainerItem } from "@packhouse/contract/repository-maintainers";
import type { Viewer } from "../http/application.ts";
import type { RepositoryMaintainer } from "./store.ts";

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
): RepositoryMaintainerItem {
  const self = `${api}/repository-maintainers/${row.id}`;
  const edits = may("editRepositoryMaintainer", actor);
  return {
    ...repositoryMaintainerBody(row),
    links: [
      { rel: "self", href: self },
      { rel: "repositoryMaintainerList", href: `${api}/repository-maintainers` },
      ...(edits ? [{ rel: "self", href: self, type: "PATCH" as const }] : []),
      ...(edits ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
    ],
  };
}
