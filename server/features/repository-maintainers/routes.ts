import { repositoryMaintainerCreation, repositoryMaintainerList } from "@packhouse/contract/repository-maintainers";
import { created, noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { createRepositoryMaintainer } from "./create-repository-maintainer.ts";
import { editRepositoryMaintainer } from "./edit-repository-maintainer.ts";
import { presentRepositoryMaintainer } from "./present-repository-maintainer.ts";
import { purgeRepositoryMaintainer } from "./purge-repository-maintainer.ts";
import { repositoryMaintainers } from "./store.ts";

export function repositoryMaintainerRoutes(app: App, deps: Deps): void {
  const store = repositoryMaintainers(deps.db);

  app.list(
    "GET /repository-maintainers",
    repositoryMaintainerList,
    (query) => store.find(query),
    presentRepositoryMaintainer,
  );
  app.route("GET /repository-maintainers/:id", async (call) => {
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("error.repositorymaintainer.notfound");
    return ok(presentRepositoryMaintainer(row, call));
  });
  app.route("POST /repository-maintainers", async (call) => {
    const given = repositoryMaintainerCreation.parse(call.body);
    const { user, repository } = given;
    const row = await createRepositoryMaintainer(deps, call.actor, {
      userId: user ? (user.id ?? 0) : undefined,
      repositoryId: repository ? (repository.id ?? 0) : undefined,
    });
    return created(presentRepositoryMaintainer(row, call));
  });
  app.route("PATCH /repository-maintainers/:id", async (call) =>
    ok(
      presentRepositoryMaintainer(
        await editRepositoryMaintainer(deps, call.actor, call.id, readPatch(call.body)),
        call,
      ),
    ),
  );
  app.route("DELETE /repository-maintainers/:id", async ({ actor, id }) => {
    await purgeRepositoryMaintainer(deps, actor, id);
    return noContent;
  });
}
