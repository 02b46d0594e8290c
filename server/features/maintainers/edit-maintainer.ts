import { randomUUID } from "node:crypto";
import { may } from "@packhouse/contract/permissions";
import type { Actor } from "../../http/actor.ts";
import { type PatchOperation, patched } from "../../http/patch/json-patch.ts";
import { restores } from "../../http/patch/restores.ts";
import type { Tx } from "../../platform/db/database.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { change } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { changeRepositories } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { complete, type Maintainer, mayEdit, type Place } from "./maintainer.ts";
import { recordMaintainer } from "./record-maintainer.ts";
import { holdPerson, type RelatedPerson, repositoryText } from "./related-record-store.ts";
import { rechooseResponsible } from "./responsible-user-store.ts";
import type { MaintainerBody, MaintainerScope } from "./scopes.ts";

interface Edit {
  actor: Actor;
  id: number;
  operations: readonly PatchOperation[];
}

/** Moves a record to another place or, where the scope allows it, to another user; soft-deletes or restores it. */
export async function editMaintainer<Row extends Maintainer, Body extends MaintainerBody>(
  scope: MaintainerScope<Row, Body>,
  deps: Deps,
  edit: Edit,
): Promise<Row> {
  return changeRepositories(deps, async ({ tx, lockAll }) => {
    const { actor, id } = edit;
    const store = scope.store(tx);
    // A first look shows what has to be locked; the second look, below, is the one that counts.
    const seen = await store.byId(id);
    if (!seen) throw new Refusal(scope.notFound);
    const wanted = await afterPatch(scope, deps, edit, seen);
    const person = await holdPerson(tx, wanted.userId);
    const repositories = await lockAll([seen.repository_id, wanted.repositoryId]);
    const before = await store.lock(id);
    if (!before) throw new Refusal(scope.notFound);
    const after = await afterPatch(scope, deps, edit, before);

    if (after.deleted) await store.update(id, { deleted: true, deletion_id: randomUUID() });
    else {
      const repository = repositories.get(after.repositoryId)?.repository;
      if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
      const place = scope.place(repository, after);
      if (!mayEdit(scope.rules, actor, place)) throw new Refusal("user.not.authorized");
      await move(scope, tx, deps, { before, place, person });
    }

    const now = await store.byId(id);
    if (!now) throw new Error(`maintainer ${id} vanished while it was being changed`);
    const changed = changes(before, now, repositories);
    if (changed.length === 0) return now;
    await rechooseResponsible(tx, before.repository_id, before.normalized_name);
    if (!samePlace(before, now)) await rechooseResponsible(tx, now.repository_id, now.normalized_name);
    await recordMaintainer(scope, tx, { type: "update", by: actor, at: deps.clock(), changed }, now);
    return now;
  });
}

async function afterPatch<Row extends Maintainer, Body extends MaintainerBody>(
  scope: MaintainerScope<Row, Body>,
  { workers }: Deps,
  { actor, operations }: Edit,
  before: Row,
) {
  if (!mayEdit(scope.rules, actor, before)) throw new Refusal("user.not.authorized");
  const body = scope.body(before);
  if (before.deleted) {
    if (!restores(operations) || !may("seeDeleted", actor)) throw new Refusal("editing.deleted.resource.not.possible");
    return { ...complete(scope.requested(body)), deleted: false };
  }
  const after = await patched(workers, scope.patched, body, operations);
  if (after.id !== before.id) throw invalid(["forbidden.update"]);
  return { ...complete(scope.requested(after)), deleted: after.deleted };
}

/** Moves a record to its new place, if its new user may have it. */
async function move(
  scope: MaintainerScope,
  tx: Tx,
  { settings }: Deps,
  { before, place, person }: { before: Maintainer; place: Place; person: RelatedPerson },
): Promise<void> {
  const store = scope.store(tx);
  const userId = scope.holder(before, person);
  const stays = !before.deleted && userId === before.user_id && samePlace(before, place);
  // A package that has several maintainers from earlier versions keeps them until one is moved.
  const records = stays ? [] : await store.at(place);
  const holders = records.filter(({ deleted, id }) => !deleted && id !== before.id).map(({ user_id }) => user_id);
  const appointment = { packageName: place.package_name, userId, role: person.role, holders };
  const codes = scope.rules.brokenRules(appointment, settings["maintainers.several"]);
  if (codes.length > 0) throw invalid(codes);
  await store.update(before.id, { ...place, user_id: userId, deleted: false, deletion_id: null });
}

const samePlace = (one: Place, other: Place): boolean =>
  one.repository_id === other.repository_id && one.normalized_name === other.normalized_name;

function changes(before: Maintainer, now: Maintainer, repositories: ReadonlyMap<number, RepositoryUnit>) {
  const textOf = (id: number) => {
    const unit = repositories.get(id);
    return unit && repositoryText(unit.repository);
  };
  return [
    ...change("package", before.package_name, now.package_name),
    ...change("repository", textOf(before.repository_id), textOf(now.repository_id)),
    ...(before.user_id === now.user_id ? [] : change("user", personText(before), personText(now))),
    ...change("deleted", before.deleted, now.deleted),
  ];
}

/** A user as recorded in events. */
const personText = ({ user, user_role }: Maintainer): string =>
  `User (id: ${user.id}, login: "${user.login}", email: "${user.email}", role: "${user_role}")`;
