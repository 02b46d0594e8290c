import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import { type Actor, relationTo } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { editRepository, repositoryById } from "./edit-repository.ts";
import { type Repository, repositories } from "./store.ts";

/** Renders a published repository again; publishes an unpublished one. */
export async function republishRepository(
  deps: Deps,
  actor: Actor,
  { technology, id }: { technology: Technology; id: number },
): Promise<Repository> {
  const row = await repositories(deps.db).byId(id);
  if (!row || row.technology !== technology || (row.deleted && !may("seeDeleted", actor)))
    throw new Refusal("repository.notfound");
  if (!may("publishRepository", actor, relationTo(actor, { repositoryId: id })))
    throw new Refusal("user.not.authorized");
  if (row.deleted) throw new Refusal("editing.deleted.resource.not.possible");
  if (!row.published)
    return editRepository(deps, actor, { technology, id }, [{ op: "replace", path: "/published", value: true }]);

  const republish = async (unit: RepositoryUnit) => {
    unit.record({
      by: actor,
      type: "republish",
      resource: "REPOSITORY",
      resourceId: id,
      description: `${actor.name} republished the repository ${row.name}.`,
    });
    unit.publish("everything");
  };
  await changeRepository(deps, id, republish, {
    whenNotCopied: () => {
      throw new Refusal("error.create.resource");
    },
  });
  return repositoryById(deps, id);
}
