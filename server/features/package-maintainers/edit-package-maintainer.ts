import { randomUUID } from "node:crypto";
import { packageMaintainer as shape } from "@packhouse/contract/package-maintainers";
import { may } from "@packhouse/contract/permissions";
import { formatOf } from "@packhouse/formats/format";
import type { Actor } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/json-patch.ts";
import { restores } from "../../http/restores.ts";
import type { Tx } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user.ts";
import {
  holdPerson,
  lockRepositories,
  type RelatedPerson,
  type RelatedRepository,
  repositoryText,
} from "../repository-maintainers/related-records.ts";
import { brokenRules, mayEdit } from "./package-maintainer.ts";
import { packageMaintainerBody } from "./present-package-maintainer.ts";
import { recordPackageMaintainer } from "./record-package-maintainer.ts";
import { type PackageMaintainer, packageMaintainers } from "./store.ts";

/** Moves a package maintainer to another package or repository, deletes him softly, or (administrators) restores him. */
export async function editPackageMaintainer(
  deps: Deps,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<PackageMaintainer> {
  return deps.db.transaction().execute(async (tx) => {
    const store = packageMaintainers(tx);
    // What has to be locked is known only after a first look; the second look, below, is the one that counts.
    const seen = await store.byId(id);
    if (!seen) throw new Refusal("error.packagemaintainer.notfound");
    const wanted = await afterPatch(deps, actor, seen, operations);
    const person = await holdPerson(tx, wanted.user.id);
    const repositories = await lockRepositories(tx, [seen.repository_id, wanted.repository.id]);
    const before = await store.lock(id);
    if (!before) throw new Refusal("error.packagemaintainer.notfound");
    const after = await afterPatch(deps, actor, before, operations);

    if (after.deleted) await store.update(id, { deleted: true, deletion_id: randomUUID() });
    else await place(deps, tx, actor, before, after, person, repositories.get(after.repository.id));
    return settle(deps, tx, actor, before, repositories);
  });
}

type After = Awaited<ReturnType<typeof afterPatch>>;

async function afterPatch(
  { workers }: Deps,
  actor: Actor,
  before: PackageMaintainer,
  operations: readonly PatchOperation[],
) {
  if (!mayEdit(actor, before)) throw new Refusal("user.not.authorized");
  const item = packageMaintainerBody(before);
  if (!before.deleted) return patched(workers, shape, item, operations);
  if (!restores(operations) || !may("seeDeleted", actor)) throw new Refusal("editing.deleted.resource.not.possible");
  return { ...item, deleted: false };
}

/** Another person in the patch is checked like one of a new record, but a record stays its person's. */
async function place(
  { settings }: Deps,
  tx: Tx,
  actor: Actor,
  before: PackageMaintainer,
  after: After,
  person: RelatedPerson | undefined,
  repository: RelatedRepository | undefined,
): Promise<void> {
  if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
  if (!mayEdit(actor, { repository_id: repository.id })) throw new Refusal("user.not.authorized");
  const store = packageMaintainers(tx);
  const { packageName } = after;
  const normalizedName = formatOf(repository.technology).normalizeName(packageName);
  const stays = !before.deleted && normalizedName === before.normalized_name && repository.id === before.repository_id;
  // A package that has several maintainers from earlier times keeps them until one is moved.
  const records = stays ? [] : await store.ofPackage(repository.id, normalizedName);
  const holders = records
    .filter((record) => !record.deleted && record.id !== before.id)
    .map((record) => record.user_id);
  const appointment = { packageName, userId: before.user_id, role: person.role, holders };
  const codes = brokenRules(appointment, settings["maintainers.several"]);
  if (codes.length > 0) throw invalid(codes);
  await store.update(before.id, {
    repository_id: repository.id,
    package_name: packageName,
    normalized_name: normalizedName,
    deleted: false,
    deletion_id: null,
  });
}

async function settle(
  { clock }: Deps,
  tx: Tx,
  actor: Actor,
  before: PackageMaintainer,
  repositories: ReadonlyMap<number, RelatedRepository>,
): Promise<PackageMaintainer> {
  const now = await packageMaintainers(tx).byId(before.id);
  if (!now) throw new Error(`package maintainer ${before.id} vanished while it was being changed`);
  const textOf = (id: number) => {
    const repository = repositories.get(id);
    return repository && repositoryText(repository);
  };
  const changed = [
    ...change("package", before.package_name, now.package_name),
    ...change("repository", textOf(before.repository_id), textOf(now.repository_id)),
    ...change("deleted", before.deleted, now.deleted),
  ];
  if (changed.length === 0) return now;
  await rechooseResponsible(tx, before.repository_id, before.normalized_name);
  await rechooseResponsible(tx, now.repository_id, now.normalized_name);
  await recordPackageMaintainer(tx, { type: "update", by: actor, at: clock(), changed }, now);
  return now;
}
