import type { Sent } from "@packhouse/contract/answer";
import { patchLink } from "@packhouse/contract/links";
import type { packageMaintainerItem } from "@packhouse/contract/package-maintainers";
import type { Viewer } from "../../http/application.ts";
import type { Settings } from "../../platform/settings/settings.ts";
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
  (row: PackageMaintainer, { actor, api }: Viewer): Sent<typeof packageMaintainerItem> => {
    const self = `${api}/package-maintainers/${row.id}`;
    const patches = canPatch(actor, row, settings["maintainers.several"]);
    return {
      ...packageMaintainerBody(row),
      links: [
        { rel: "self", href: self },
        { rel: "packageMaintainerList", href: `${api}/package-maintainers` },
        ...(patches ? [patchLink(self, row)] : []),
        ...(canDelete(actor, row) ? [{ rel: "self", href: self, type: "DELETE" as const }] : []),
      ],
    };
  };
