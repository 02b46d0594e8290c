import { randomUUID } from "node:crypto";
import { repositoryMaintainer as shape } from "@packhouse/contract/repository-maintainers";
import type { Actor } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/json-patch.ts";
import { restores } from "../../http/restores.ts";
import type { Tx } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { rechooseResponsible } from "../maintainers/responsible-user.ts";
import { repositoryMaintainerBody } from "./present-repository-maintainer.ts";
import { recordRepositoryMaintainer } from "./record-repository-maintainer.ts";
import {
  holdPerson,
  lockRepositories,
  type RelatedPerson,
  type RelatedRepository,
  repositoryText,
} from "./related-records.ts";
import { brokenRules } from "./repository-maintainer.ts";
import { type RepositoryMaintainer, repositoryMaintainers } from "./store.ts";

/** Moves a maintainer to another repository, hands his record to somebody else, deletes it softly, or restores it. */
export async function editRepositoryMaintainer(
  deps: Deps,
  actor: Actor,
  id: number,
  operations: readonly PatchOperation[],
): Promise<RepositoryMaintainer> {
  return deps.db.transaction().execute(async (tx) => {
    const store = repositoryMaintainers(tx);
    // What has to be locked is known only after a first look; the second look, below, is the one that counts.
    const seen = await store.byId(id);
    if (!seen) throw new Refusal("error.repositorymaintainer.notfound");
    const wanted = await afterPatch(deps, seen, operations);
    const person = await holdPerson(tx, wanted.user.id);
    const repositories = await lockRepositories(tx, [seen.repository_id, wanted.repository.id]);
    const before = await store.lock(id);
    if (!before) throw new Refusal("error.repositorymaintainer.notfound");
    const after = await afterPatch(deps, before, operations);

    if (after.deleted) await store.update(id, { deleted: true, deletion_id: randomUUID() });
    else await place(tx, id, person, repositories.get(after.repository.id));
    return settle(deps, tx, actor, before, repositories);
  });
}

async function afterPatch({ workers }: Deps, before: RepositoryMaintainer, operations: readonly PatchOperation[]) {
  const item = repositoryMaintainerBody(before);
  if (!before.deleted) return patched(workers, shape, item, operations);
  if (!restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");
  return { ...item, deleted: false };
}

async function place(
  tx: Tx,
  id: number,
  person: RelatedPerson | undefined,
  repository: RelatedRepository | undefined,
): Promise<void> {
  if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
  const store = repositoryMaintainers(tx);
  const other = await store.ofPerson(person.id, repository.id);
  const codes = brokenRules(person.role, other !== undefined && !other.deleted && other.id !== id);
  if (codes.length > 0) throw invalid(codes);
  await store.update(id, { user_id: person.id, repository_id: repository.id, deleted: false, deletion_id: null });
}

async function settle(
  { clock }: Deps,
  tx: Tx,
  actor: Actor,
  before: RepositoryMaintainer,
  repositories: ReadonlyMap<number, RelatedRepository>,
): Promise<RepositoryMaintainer> {
  const now = await repositoryMaintainers(tx).byId(before.id);
  if (!now) throw new Error(`repository maintainer ${before.id} vanished while it was being changed`);
  const textOf = (id: number) => {
    const repository = repositories.get(id);
    return repository && repositoryText(repository);
  };
  const changed = [
    ...change("repository", textOf(before.repository_id), textOf(now.repository_id)),
    ...change("user", personText(before), personText(now)),
    ...change("deleted", before.deleted, now.deleted),
  ];
  if (changed.length === 0) return now;
  for (const repositoryId of new Set([before.repository_id, now.repository_id]))
    await rechooseResponsible(tx, repositoryId);
  await recordRepositoryMaintainer(tx, { type: "update", by: actor, at: clock(), changed }, now);
  return now;
}

/** A person as events write him down. */
const personText = ({ user, user_role }: RepositoryMaintainer): string =>
  `User (id: ${user.id}, login: "${user.login}", email: "${user.email}", role: "${user_role}")`;
