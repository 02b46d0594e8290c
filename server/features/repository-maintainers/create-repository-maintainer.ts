import type { ViolationCode } from "@packhouse/contract/violations";
import type { Actor } from "../../http/actor.ts";
import { invalid } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user.ts";
import { recordRepositoryMaintainer } from "./record-repository-maintainer.ts";
import { holdPerson, lockRepositories } from "./related-records.ts";
import { brokenRules } from "./repository-maintainer.ts";
import { type RepositoryMaintainer, repositoryMaintainers } from "./store.ts";

/** Makes somebody maintainer of a repository. An earlier record of the same person revives. */
export async function createRepositoryMaintainer(
  { db, clock }: Deps,
  actor: Actor,
  { userId, repositoryId }: { userId: number | undefined; repositoryId: number | undefined },
): Promise<RepositoryMaintainer> {
  const missing: ViolationCode[] = [];
  if (userId === undefined) missing.push("empty.user");
  if (repositoryId === undefined) missing.push("empty.repository");
  if (userId === undefined || repositoryId === undefined) throw invalid(missing);

  return db.transaction().execute(async (tx) => {
    const person = await holdPerson(tx, userId);
    const repository = (await lockRepositories(tx, [repositoryId])).get(repositoryId);
    if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
    const store = repositoryMaintainers(tx);
    const known = await store.ofPerson(userId, repositoryId);
    const codes = brokenRules(person.role, known !== undefined && !known.deleted);
    if (codes.length > 0) throw invalid(codes);

    const id = known?.id ?? (await store.insert(userId, repositoryId));
    if (known) await store.update(known.id, { deleted: false, deletion_id: null });
    await rechooseResponsible(tx, repositoryId);
    const row = await store.byId(id);
    if (!row) throw new Error(`repository maintainer ${id} vanished while it was being created`);
    await recordRepositoryMaintainer(tx, { type: "create", by: actor, at: clock() }, row);
    return row;
  });
}
