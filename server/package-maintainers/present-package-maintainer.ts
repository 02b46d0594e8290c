import type { PackageMaintainerItem } from "@packhouse/contract/package-maintainers";
import { may } from "@packhouse/contract/permissions";
import type { Viewer } from "../http/application.ts";
import { standingTo } from "../sign-in/actor.ts";
import type { PackageMaintainer } from "./store.ts";

export const packageMaintainerBody = (row: PackageMaintainer) => ({
  id: row.id,
  user: row.user,
  packageName: row.package_name,
  repository: row.repository,
  deleted: row.deleted,
  description: null,
});

export function presentPackageMaintainer(row: PackageMaintainer, { actor, api }: Viewer): PackageMaintainerItem {
  const self = `${api}/package-maintainers/${row.id}`;
  const edits = may("editPackageMaintainer", actor, standingTo(actor, { repositoryId: row.repository_id }));
  const patches = row.deleted ? may("seeDeleted", actor) : edits;
  const deletes = row.deleted ? may("purgePackageMaintainer", actor) : edits;
  return {
    ...packageMaintainerBody(row),
    links: [
      { rel: "self", href: self },
      { rel: "packageMaintainerList", href: `${api}/package-maintainers` },
      ...(patches ? [{ rel: "self", href: self, type: "PATCH" as const }] : []),
      ...(deletes ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
    ],
  };
}
