import { may } from "@packhouse/contract/permissions";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import { standingTo } from "../../http/actor.ts";
import { noContent, ok } from "../../http/answer.ts";
import type { App, Call } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { type Repository, visibleRepository } from "../repositories/visible-repository.ts";
import type { Mirroring } from "./create-mirroring.ts";
import { presentMirror } from "./present-mirror.ts";
import { mirrors, synchronizations } from "./records/store.ts";

export function mirrorRoutes(app: App, deps: Deps, mirroring: Mirroring): void {
  const edited = async ({ id, actor }: Call, technology?: Technology): Promise<Repository> => {
    const repository = await visibleRepository(deps, actor, id, technology);
    if (!may("synchronizeRepository", actor, standingTo(actor, { repositoryId: id })))
      throw new Refusal("user.not.authorized");
    return repository;
  };

  app.route("GET /repositories/:id/mirrors", async (call) => {
    const { id, reserved_names } = await edited(call);
    const found = await mirrors(deps.db).ofRepository(id);
    const declared = found.flatMap((mirror) => mirror.reserved_names);
    const reservedNames = new Set([...deps.settings["mirrors.reservedNames"], ...declared, ...reserved_names]);
    return ok({ mirrors: found.map(presentMirror), reservedNames: [...reservedNames] });
  });

  for (const technology of ["R", "Python"] as const) {
    const path = technologyPath[technology];
    app.route(`POST /${path}/repositories/:id/synchronize-mirrors`, async (call) => {
      const repository = await edited(call, technology);
      if (repository.deleted) throw new Refusal("editing.deleted.resource.not.possible");
      await mirroring.request(repository.id);
      return noContent;
    });
    app.route(`GET /${path}/repositories/:id/synchronization-status`, async (call) => {
      const { id } = await edited(call, technology);
      const last = await synchronizations(deps.db).last(id);
      if (!last) throw new Refusal("error.get.synchronization.status");
      return ok({
        repositoryId: id,
        timestamp: last.started_on.getTime(),
        pending: last.ended_on === null,
        error: { present: last.failed, empty: !last.failed },
      });
    });
  }
}
