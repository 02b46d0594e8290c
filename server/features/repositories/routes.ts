import { instantText } from "@packhouse/contract/envelope";
import * as operations from "@packhouse/contract/operations/repositories";
import { may } from "@packhouse/contract/permissions";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { latestSnapshots } from "../../publish/records/snapshot-store.ts";
import type { Deps } from "../deps.ts";
import { createRepository } from "./create-repository.ts";
import { editRepository } from "./edit-repository.ts";
import { repositoryPresenter } from "./present-repository.ts";
import { purgeByRequest } from "./purge-repository.ts";
import { republishRepository } from "./republish-repository.ts";
import { repositories } from "./store.ts";
import { visibleRepository } from "./visible-repository.ts";

export function repositoryRoutes(app: App, deps: Deps): void {
  const present = repositoryPresenter(deps.settings);
  const store = repositories(deps.db);

  /** Deleted repositories are for administrators only: others who ask for them are refused. */
  const mayFilter = (deleted: boolean | undefined, actor: Actor) => {
    if (deleted && !may("seeDeleted", actor)) throw new Refusal("user.not.authorized");
  };
  const visible = ({ id, actor }: { id: number; actor: Actor }, technology?: Technology) =>
    visibleRepository(deps, actor, id, technology);

  app.list(
    operations.listRepositories,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor);
    },
    present.base,
  );
  app.list(
    operations.repositoryOf.R.list,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor, "R");
    },
    present.R,
  );
  app.list(
    operations.repositoryOf.Python.list,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor, "Python");
    },
    present.Python,
  );

  app.handle(operations.readRepository, async (call) => present.base(await visible(call), call));
  app.handle(operations.listSnapshots, async (call) => {
    const rows = await latestSnapshots(deps.db, (await visible(call)).id);
    return { snapshots: rows.map((row) => ({ serial: row.serial, renderedOn: instantText(row.rendered_on) })) };
  });
  app.handle(operations.failAlways, async () => {
    throw new Refusal("error.apply.patch");
  });

  for (const technology of ["R", "Python"] as const) {
    const { read, create, edit, republish, purge } = operations.repositoryOf[technology];
    app.handle(read, async (call) => present.own(await visible(call, technology), call));
    app.handle(create, async (call) =>
      present.own(await createRepository(deps, call.actor, technology, call.body), call),
    );
    app.handle(edit, async (call) =>
      present.own(await editRepository(deps, call.actor, { technology, id: call.id }, call.body), call),
    );
    app.handle(republish, async (call) =>
      present.own(await republishRepository(deps, call.actor, { technology, id: call.id }), call),
    );
    app.handle(purge, ({ actor, id }) => purgeByRequest(deps, actor, { technology, id }));
  }
}
