import type { Technology } from "@packhouse/contract/technology";
import { Refusal } from "../../platform/errors/refusal.ts";
import { purgePublishedFile } from "../../publish/records/purge-published-file.ts";
import type { Deps } from "../deps.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import type { Package } from "./package-columns-store.ts";
import { packages } from "./store.ts";

/** Removes a soft-deleted package, its submission and its file permanently. */
export async function purgePackage(
  deps: Deps,
  actor: { id: number; name: string },
  technology: Technology,
  id: number,
): Promise<void> {
  const row = await packages(deps.db).byId(id);
  if (row?.technology !== technology || !row.deleted) throw new Refusal("package.notfound");
  if (!deps.settings["deleting.packages"]) throw new Refusal("deleting.packages.disabled");
  await purgeInTransaction(deps, actor, row, "PACKAGE");
}

/** Purges a package or, equivalently, its submission; what was public disappears. */
export async function purgeInTransaction(
  deps: Deps,
  actor: { id: number; name: string },
  row: Package,
  resource: "PACKAGE" | "SUBMISSION",
): Promise<void> {
  const missing = resource === "PACKAGE" ? "package.notfound" : "submission.notfound";
  const purge = async (unit: RepositoryUnit) => {
    const { tx, repository } = unit;
    const now = await packages(tx).locked(row.id);
    if (!now) throw new Refusal(missing);
    recordPurge(unit, actor, now, resource);
    await packages(tx).purge(row.id);
    await purgePublishedFile(tx, repository.id, row.digest);
    await deps.publication.tidySoon(tx, repository.id);
    if (now.active && repository.published) unit.publish([row.normalized_name]);
    unit.waitForPublication();
  };
  await changeRepository(deps, row.repository_id, purge, { missing, whenNotCopied: () => {} });
}

/** The event that remains of a purged package, shown only to administrators on request. */
export function recordPurge(
  unit: RepositoryUnit,
  actor: { id: number; name: string },
  row: Package,
  resource: "PACKAGE" | "SUBMISSION",
): void {
  unit.record({
    by: actor,
    type: "delete",
    resource,
    resourceId: resource === "PACKAGE" ? row.id : row.submission_id,
    packageId: row.id,
    normalizedName: row.normalized_name,
    purged: true,
    description: `${actor.name} permanently deleted ${row.name} ${row.version} (SHA-256 ${row.digest}) from ${row.repository.name}.`,
  });
}
