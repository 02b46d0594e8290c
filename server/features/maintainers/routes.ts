import * as operations from "@packhouse/contract/operations/maintainers";
import type { App } from "../../http/application.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { findCandidates } from "./candidate-store.ts";
import { createMaintainer } from "./create-maintainer.ts";
import { editMaintainer } from "./edit-maintainer.ts";
import { type Maintainer, mayRead } from "./maintainer.ts";
import { maintainerPresenter } from "./present-maintainer.ts";
import { purgeMaintainer } from "./purge-maintainer.ts";
import { type MaintainerBody, type MaintainerScope, maintainerScopes } from "./scopes.ts";
import { findPackageMaintainers, findRepositoryMaintainers } from "./store.ts";

export function maintainerRoutes(app: App, deps: Deps): void {
  const { db, settings } = deps;
  app.list(
    operations.maintainerOf.package.list,
    (query, actor) => findPackageMaintainers(db, query, actor),
    maintainerPresenter(maintainerScopes.package, settings),
  );
  app.list(
    operations.listCandidates,
    (query) => findCandidates(db, query),
    (person) => person,
  );
  app.list(
    operations.maintainerOf.repository.list,
    (query) => findRepositoryMaintainers(db, query),
    maintainerPresenter(maintainerScopes.repository, settings),
  );
  recordRoutes(app, deps, maintainerScopes.package);
  recordRoutes(app, deps, maintainerScopes.repository);
}

function recordRoutes<Row extends Maintainer, Body extends MaintainerBody>(
  app: App,
  deps: Deps,
  scope: MaintainerScope<Row, Body>,
): void {
  const { operations, notFound, rules } = scope;
  const present = maintainerPresenter(scope, deps.settings);

  app.handle(operations.read, async (call) => {
    const row = await scope.store(deps.db).byId(call.id);
    if (!row) throw new Refusal(notFound);
    if (!mayRead(rules, call.actor, row)) throw new Refusal("user.not.authorized");
    return present(row, call);
  });
  app.handle(operations.create, async (call) =>
    present(await createMaintainer(scope, deps, call.actor, scope.requested(call.body)), call),
  );
  app.handle(operations.edit, async (call) => {
    const { actor, id, body } = call;
    return present(await editMaintainer(scope, deps, { actor, id, operations: body }), call);
  });
  app.handle(operations.purge, ({ actor, id }) => purgeMaintainer(scope, deps, actor, id));
}
