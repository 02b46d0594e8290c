import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { recordEvent } from "../../platform/event-log/record-event.ts";
import type { Deps } from "../deps.ts";
import { refuseInDeclarativeMode } from "./declarative-mode.ts";
import { repositories } from "./store.ts";

export interface PurgeDeps extends Pick<Deps, "db" | "settings" | "clock"> {
  publication: Pick<Deps["publication"], "withdraw">;
}

/** What the API removes: nothing where files declare what there is. */
export function purgeByRequest(deps: PurgeDeps, actor: Actor, technology: Technology, id: number): Promise<void> {
  return purgeRepository(deps, actor, technology, id, () => refuseInDeclarativeMode(deps.settings));
}

/** Removes a repository and everything in it for good. Its bytes stay until the sweep finds them unnamed. */
export async function purgeRepository(
  deps: PurgeDeps,
  actor: Actor,
  technology: Technology,
  id: number,
  check = () => {},
): Promise<void> {
  await deps.db.transaction().execute(async (tx) => {
    const row = await repositories(tx).lock(id);
    if (row?.technology !== technology) throw new Refusal("repository.notfound");
    check();
    if (!deps.settings["deleting.repositories"]) throw new Refusal("deleting.repositories.disabled");
    await recordEvent(tx, {
      by: actor,
      at: deps.clock(),
      type: "delete",
      resource: "REPOSITORY",
      resourceId: id,
      place: { technology, repositoryId: id },
      purged: true,
      description: `${actor.name} removed the repository ${row.name} for good.`,
    });
    await deps.publication.withdraw(tx, id);
    await repositories(tx).purge(id);
  });
}
