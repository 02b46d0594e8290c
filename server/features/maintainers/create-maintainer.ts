import type { Actor } from "../../http/actor.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { changeRepositories } from "../unit-of-work/change-repository.ts";
import { complete, type Maintainer, mayCreate, type NewMaintainer } from "./maintainer.ts";
import { recordMaintainer } from "./record-maintainer.ts";
import { holdPerson } from "./related-record-store.ts";
import { rechooseResponsible } from "./responsible-user-store.ts";
import type { MaintainerBody, MaintainerScope } from "./scopes.ts";

/** Makes a user maintainer of a place; the package need not exist yet. Restores a deleted record of the same user. */
export async function createMaintainer<Row extends Maintainer, Body extends MaintainerBody>(
  scope: MaintainerScope<Row, Body>,
  deps: Deps,
  actor: Actor,
  given: NewMaintainer,
): Promise<Row> {
  const wanted = complete(given);
  const { userId, repositoryId, packageName } = wanted;

  return changeRepositories(deps, async ({ tx, lock }) => {
    const person = await holdPerson(tx, userId);
    const repository = (await lock(repositoryId))?.repository;
    if (!person || !repository || repository.deleted) throw invalid(["could.not.resolve.related.entities"]);
    const place = scope.place(repository, wanted);
    if (!mayCreate(scope.rules, actor, place)) throw new Refusal("user.not.authorized");

    const store = scope.store(tx);
    const records = await store.at(place);
    const holders = records.filter(({ deleted }) => !deleted).map(({ user_id }) => user_id);
    const appointment = { packageName, userId, role: person.role, holders };
    const codes = scope.rules.brokenRules(appointment, deps.settings["maintainers.several"]);
    if (codes.length > 0) throw invalid(codes);

    const earlier = records.find((record) => record.deleted && record.user_id === userId);
    const id = earlier?.id ?? (await store.insert({ user_id: userId, ...place }));
    if (earlier) await store.update(id, { ...place, deleted: false, deletion_id: null });
    await rechooseResponsible(tx, place.repository_id, place.normalized_name);
    const row = await store.byId(id);
    if (!row) throw new Error(`maintainer ${id} vanished while it was being created`);
    await recordMaintainer(scope, tx, { type: "create", by: actor, at: deps.clock() }, row);
    return row;
  });
}
