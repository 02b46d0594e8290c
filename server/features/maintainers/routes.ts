import { candidateList, packageMaintainerList, repositoryMaintainerList } from "@packhouse/contract/maintainers";
import { created, noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { findCandidates } from "./candidate-store.ts";
import { createMaintainer } from "./create-maintainer.ts";
import { editMaintainer } from "./edit-maintainer.ts";
import { mayRead } from "./maintainer.ts";
import { maintainerPresenter } from "./present-maintainer.ts";
import { purgeMaintainer } from "./purge-maintainer.ts";
import { type MaintainerScope, maintainerScopes } from "./scopes.ts";
import { findPackageMaintainers, findRepositoryMaintainers } from "./store.ts";

export function maintainerRoutes(app: App, deps: Deps): void {
  const { db, settings } = deps;
  app.list(
    "GET /package-maintainers",
    packageMaintainerList,
    (query, actor) => findPackageMaintainers(db, query, actor),
    maintainerPresenter(maintainerScopes.package, settings),
  );
  app.list(
    "GET /package-maintainers/candidates",
    candidateList,
    (query) => findCandidates(db, query),
    (person) => person,
  );
  app.list(
    "GET /repository-maintainers",
    repositoryMaintainerList,
    (query) => findRepositoryMaintainers(db, query),
    maintainerPresenter(maintainerScopes.repository, settings),
  );
  for (const scope of Object.values(maintainerScopes)) recordRoutes(app, deps, scope);
}

function recordRoutes(app: App, deps: Deps, scope: MaintainerScope): void {
  const { path, notFound, rules } = scope;
  const present = maintainerPresenter(scope, deps.settings);

  app.route(`GET ${path}/:id`, async (call) => {
    const row = await scope.store(deps.db).byId(call.id);
    if (!row) throw new Refusal(notFound);
    if (!mayRead(rules, call.actor, row)) throw new Refusal("user.not.authorized");
    return ok(present(row, call));
  });
  app.route(`POST ${path}`, async (call) =>
    created(present(await createMaintainer(scope, deps, call.actor, scope.read(call.body)), call)),
  );
  app.route(`PATCH ${path}/:id`, async (call) => {
    const { actor, id, body } = call;
    return ok(present(await editMaintainer(scope, deps, { actor, id, operations: readPatch(body) }), call));
  });
  app.route(`DELETE ${path}/:id`, async ({ actor, id }) => {
    await purgeMaintainer(scope, deps, actor, id);
    return noContent;
  });
}
