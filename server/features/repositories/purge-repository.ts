import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { changeRepository } from "../unit-of-work/change-repository.ts";
import type { UnitDeps } from "../unit-of-work/repository-unit.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { repositories } from "./store.ts";

export interface PurgeDeps extends UnitDeps, Pick<Deps, "settings"> {
  publication: UnitDeps["publication"] & Pick<Deps["publication"], "withdraw">;
}

interface TechnologyRepository {
  technology: Technology;
  id: number;
}

/** What the API removes: nothing in declarative mode. */
export function purgeByRequest(deps: PurgeDeps, actor: Actor, which: TechnologyRepository): Promise<void> {
  return purgeRepository(deps, actor, which, () => refuseInDeclarativeMode(deps.settings));
}

/** Removes a repository and everything in it permanently. Its bytes stay until the sweep finds them unnamed. */
export async function purgeRepository(
  deps: PurgeDeps,
  actor: Actor,
  { technology, id }: TechnologyRepository,
  check = () => {},
): Promise<void> {
  await changeRepository(deps, id, async ({ tx, repository, record }) => {
    if (repository.technology !== technology) throw new Refusal("repository.notfound");
    check();
    if (!deps.settings["deleting.repositories"]) throw new Refusal("deleting.repositories.disabled");
    record({
      by: actor,
      type: "delete",
      resource: "REPOSITORY",
      resourceId: id,
      purged: true,
      description: `${actor.name} permanently deleted the repository ${repository.name}.`,
    });
    await deps.publication.withdraw(tx, id);
    await repositories(tx).purge(id);
  });
}
