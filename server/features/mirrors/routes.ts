import * as operations from "@packhouse/contract/operations/repositories";
import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { relationTo } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { type Repository, visibleRepository } from "../repositories/visible-repository.ts";
import type { Mirroring } from "./create-mirroring.ts";
import { presentMirror } from "./present-mirror.ts";
import { mirrors, synchronizations } from "./records/store.ts";

export function mirrorRoutes(app: App, deps: Deps, mirroring: Mirroring): void {
  const edited = async ({ id, actor }: { id: number; actor: Actor }, technology?: Technology): Promise<Repository> => {
    const repository = await visibleRepository(deps, actor, id, technology);
    if (!may("synchronizeRepository", actor, relationTo(actor, { repositoryId: id })))
      throw new Refusal("user.not.authorized");
    return repository;
  };

  app.handle(operations.listMirrors, async (call) => {
    const { id, reserved_names } = await edited(call);
    const found = await mirrors(deps.db).ofRepository(id);
    const declared = found.flatMap((mirror) => mirror.reserved_names);
    const reservedNames = new Set([...deps.settings["mirrors.reservedNames"], ...declared, ...reserved_names]);
    return { mirrors: found.map(presentMirror), reservedNames: [...reservedNames] };
  });

  for (const technology of ["R", "Python"] as const) {
    const { synchronize, readSynchronization } = operations.repositoryOf[technology];
    app.handle(synchronize, async (call) => {
      const repository = await edited(call, technology);
      if (repository.deleted) throw new Refusal("editing.deleted.resource.not.possible");
      await mirroring.request(repository.id);
    });
    app.handle(readSynchronization, async (call) => {
      const { id } = await edited(call, technology);
      const last = await synchronizations(deps.db).last(id);
      if (!last) throw new Refusal("error.get.synchronization.status");
      return {
        repositoryId: id,
        timestamp: last.started_on.getTime(),
        pending: last.ended_on === null,
        error: { present: last.failed, empty: !last.failed },
      };
    });
  }
}
