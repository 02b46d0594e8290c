import type { PackageMaintainerItem } from "@packhouse/contract/package-maintainers";
import type { Viewer } from "../http/application.ts";
import type { Settings } from "../settings.ts";
import { canDelete, canPatch } from "./package-maintainer.ts";
import type { PackageMaintainer } from "./store.ts";

/** A package maintainer without links. */
export const packageMaintainerBody = (row: PackageMaintainer) => ({
  id: row.id,
  user: row.user,
  packageName: row.package_name,
  repository: row.repository,
  deleted: row.deleted,
  description: null,
});

export const packageMaintainerPresenter =
  (settings: Pick<Settings, "maintainers.several">) =>
  (row: PackageMaintainer, { actor, api }: Viewer): PackageMaintainerItem => {
    const self = `${api}/package-maintainers/${row.id}`;
    const patches = canPatch(actor, row, settings["maintainers.several"]);
    return {
      ...packageMaintainerBody(row),
      links: [
        { rel: "self", href: self },
        { rel: "packageMaintainerList", href: `${api}/package-maintainers` },
        ...(patches ? [{ rel: "self", href: self, type: "PATCH" as const }] : []),
        ...(canDelete(actor, row) ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
      ],
    };
  };
