import type { Technology } from "@packhouse/contract/technology";
import type { Tx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import { purgePublishedFile } from "../../publish/records/purge-published-file.ts";
import type { Deps } from "../deps.ts";
import { type Package, packages } from "./store.ts";

/** Removes a softly deleted package, its submission and its file for good. */
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

/** Purges a package or, which is the same, its submission; what was public disappears. */
export async function purgeInTransaction(
  deps: Deps,
  actor: { id: number; name: string },
  row: Package,
  resource: "PACKAGE" | "SUBMISSION",
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    await tx.selectFrom("repositories").select("id").where("id", "=", row.repository_id).forUpdate().execute();
    const now = await packages(tx).locked(row.id);
    if (!now) throw new Refusal(resource === "PACKAGE" ? "package.notfound" : "submission.notfound");
    await recordPurge(tx, deps, actor, now, resource);
    await packages(tx).purge(row.id);
    await purgePublishedFile(tx, row.repository_id, row.digest);
    await deps.publication.hurryTidying(tx, row.repository_id);
    if (now.active && now.repository.published)
      await deps.publication.request(tx, row.repository_id, [row.normalized_name]);
  });
  await deps.publication.settled([row.repository_id]);
}

/** The event that remains of a purged package, listed only for administrators who ask for it. */
export async function recordPurge(
  tx: Tx,
  deps: Deps,
  actor: { id: number; name: string },
  row: Package,
  resource: "PACKAGE" | "SUBMISSION",
): Promise<void> {
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type: "delete",
    resource,
    resourceId: resource === "PACKAGE" ? row.id : row.submission_id,
    place: {
      technology: row.technology,
      repositoryId: row.repository_id,
      packageId: row.id,
      normalizedName: row.normalized_name,
    },
    purged: true,
    description: `${actor.name} removed ${row.name} ${row.version} (SHA-256 ${row.digest}) from ${row.repository.name} for good.`,
  });
}
