import { may } from "@packhouse/contract/permissions";
import type { ViolationCode } from "@packhouse/contract/violations";
import { formatOf } from "@packhouse/formats/format";
import { type Actor, standingTo } from "../../http/actor.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user.ts";
import { holdPerson, lockRepositories } from "../repository-maintainers/related-records.ts";
import { brokenRules } from "./package-maintainer.ts";
import { recordPackageMaintainer } from "./record-package-maintainer.ts";
import { type PackageMaintainer, packageMaintainers } from "./store.ts";

export interface NewPackageMaintainer {
  packageName: string;
  userId: number | undefined;
  repositoryId: number | undefined;
}

/** Makes somebody maintainer of a package, which need not exist yet. An earlier record of the same person revives. */
export async function createPackageMaintainer(
  { db, settings, clock }: Deps,
  actor: Actor,
  { packageName, userId, repositoryId }: NewPackageMaintainer,
): Promise<PackageMaintainer> {
  const missing: ViolationCode[] = [];
  if (packageName === "") missing.push("empty.package");
  if (userId === undefined) missing.push("empty.user");
  if (repositoryId === undefined) missing.push("empty.repository");
  if (userId === undefined || repositoryId === undefined) throw invalid(missing);

  return db.transaction().execute(async (tx) => {
    const person = await holdPerson(tx, userId);
    const repository = (await lockRepositories(tx, [repositoryId])).get(repositoryId);
    if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
    if (!may("createPackageMaintainer", actor, standingTo(actor, { repositoryId })))
      throw new Refusal("user.not.authorized");

    const store = packageMaintainers(tx);
    const normalizedName = formatOf(repository.technology).normalizeName(packageName);
    const records = await store.ofPackage(repositoryId, normalizedName);
    const holders = records.filter((record) => !record.deleted).map((record) => record.user_id);
    const codes = brokenRules({ packageName, userId, role: person.role, holders }, settings["maintainers.several"]);
    if (codes.length > 0) throw invalid(codes);

    const earlier = records.find((record) => record.deleted && record.user_id === userId);
    const place = { repository_id: repositoryId, package_name: packageName, normalized_name: normalizedName };
    const id = earlier?.id ?? (await store.insert({ user_id: userId, ...place }));
    if (earlier) await store.update(earlier.id, { ...place, deleted: false, deletion_id: null });
    await rechooseResponsible(tx, repositoryId, normalizedName);
    const row = await store.byId(id);
    if (!row) throw new Error(`package maintainer ${id} vanished while it was being created`);
    await recordPackageMaintainer(tx, { type: "create", by: actor, at: clock() }, row);
    return row;
  });
}
