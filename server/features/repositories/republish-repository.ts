import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import { type Actor, standingTo } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import { settledOrRefused } from "../../publish/records/publication.ts";
import type { Deps } from "../deps.ts";
import { editRepository, repositoryById } from "./edit-repository.ts";
import { type Repository, repositories } from "./store.ts";

/** Renders a published repository anew; an unpublished one is published instead. */
export async function republishRepository(
  deps: Deps,
  actor: Actor,
  technology: Technology,
  id: number,
): Promise<Repository> {
  const row = await repositories(deps.db).byId(id);
  if (!row || row.technology !== technology || (row.deleted && !may("seeDeleted", actor)))
    throw new Refusal("repository.notfound");
  if (!may("publishRepository", actor, standingTo(actor, { repositoryId: id })))
    throw new Refusal("user.not.authorized");
  if (row.deleted) throw new Refusal("editing.deleted.resource.not.possible");
  if (!row.published)
    return editRepository(deps, actor, technology, id, [{ op: "replace", path: "/published", value: true }]);

  await deps.db.transaction().execute(async (tx) => {
    await recordEvent(tx, {
      by: actor,
      at: deps.clock(),
      type: "republish",
      resource: "REPOSITORY",
      resourceId: id,
      place: { technology, repositoryId: id },
      description: `${actor.name} republished the repository ${row.name}.`,
    });
    await deps.publication.request(tx, id, "everything");
  });
  await settledOrRefused(deps.publication, id, "error.create.resource");
  return repositoryById(deps, id);
}
