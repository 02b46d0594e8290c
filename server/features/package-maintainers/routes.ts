import {
  candidateList,
  packageMaintainerCreation,
  packageMaintainerList,
} from "@packhouse/contract/package-maintainers";
import { created, noContent, ok } from "../../http/answer.ts";
import type { App } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Deps } from "../deps.ts";
import { findCandidates } from "./candidates.ts";
import { createPackageMaintainer } from "./create-package-maintainer.ts";
import { editPackageMaintainer } from "./edit-package-maintainer.ts";
import { mayRead } from "./package-maintainer.ts";
import { packageMaintainerPresenter } from "./present-package-maintainer.ts";
import { purgePackageMaintainer } from "./purge-package-maintainer.ts";
import { packageMaintainers } from "./store.ts";

export function packageMaintainerRoutes(app: App, deps: Deps): void {
  const store = packageMaintainers(deps.db);
  const present = packageMaintainerPresenter(deps.settings);

  app.list("GET /package-maintainers", packageMaintainerList, (query, actor) => store.find(query, actor), present);
  app.list(
    "GET /package-maintainers/candidates",
    candidateList,
    (query) => findCandidates(deps.db, query),
    (person) => person,
  );
  app.route("GET /package-maintainers/:id", async (call) => {
    const row = await store.byId(call.id);
    if (!row) throw new Refusal("error.packagemaintainer.notfound");
    if (!mayRead(call.actor, row)) throw new Refusal("user.not.authorized");
    return ok(present(row, call));
  });
  app.route("POST /package-maintainers", async (call) => {
    const given = packageMaintainerCreation.parse(call.body);
    const { packageName, user, repository } = given;
    const row = await createPackageMaintainer(deps, call.actor, {
      packageName: packageName ?? "",
      userId: user ? (user.id ?? 0) : undefined,
      repositoryId: repository ? (repository.id ?? 0) : undefined,
    });
    return created(present(row, call));
  });
  app.route("PATCH /package-maintainers/:id", async (call) =>
    ok(present(await editPackageMaintainer(deps, call.actor, call.id, readPatch(call.body)), call)),
  );
  app.route("DELETE /package-maintainers/:id", async ({ actor, id }) => {
    await purgePackageMaintainer(deps, actor, id);
    return noContent;
  });
}
