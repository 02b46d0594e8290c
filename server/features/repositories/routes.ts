import { instantText } from "@packhouse/contract/envelope";
import { may } from "@packhouse/contract/permissions";
import {
  pythonRepositoryCreation,
  pythonRepositoryList,
  repositoryList,
  rRepositoryCreation,
  rRepositoryList,
} from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import type { Actor } from "../../http/actor.ts";
import { created, noContent, ok } from "../../http/answer.ts";
import type { App, Call } from "../../http/application.ts";
import { readPatch } from "../../http/json-patch.ts";
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
  const visible = ({ id, actor }: Call, technology?: Technology) => visibleRepository(deps, actor, id, technology);

  app.list(
    "GET /repositories",
    repositoryList,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor);
    },
    present.base,
  );
  app.list(
    "GET /r/repositories",
    rRepositoryList,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor, "R");
    },
    present.r,
  );
  app.list(
    "GET /python/repositories",
    pythonRepositoryList,
    (query, actor) => {
      mayFilter(query.filters.deleted, actor);
      return store.find(query, actor, "Python");
    },
    present.python,
  );

  app.route("GET /repositories/:id", async (call) => ok(present.base(await visible(call), call)));
  app.route("GET /repositories/:id/snapshots", async (call) => {
    const rows = await latestSnapshots(deps.db, (await visible(call)).id);
    return ok({ snapshots: rows.map((row) => ({ serial: row.serial, renderedOn: instantText(row.rendered_on) })) });
  });
  app.route("GET /r/repositories/:id", async (call) => ok(present.own(await visible(call, "R"), call)));
  app.route("GET /python/repositories/:id", async (call) => ok(present.own(await visible(call, "Python"), call)));

  const create =
    (technology: Technology, shape: typeof rRepositoryCreation | typeof pythonRepositoryCreation) =>
    async (call: Call) =>
      created(present.own(await createRepository(deps, call.actor, technology, given(shape.parse(call.body))), call));
  app.route("POST /r/repositories", create("R", rRepositoryCreation));
  app.route("POST /python/repositories", create("Python", pythonRepositoryCreation));

  const edit = (technology: Technology) => async (call: Call) =>
    ok(present.own(await editRepository(deps, call.actor, { technology, id: call.id }, readPatch(call.body)), call));
  app.route("PATCH /r/repositories/:id", edit("R"));
  app.route("PATCH /python/repositories/:id", edit("Python"));

  const republish = (technology: Technology) => async (call: Call) =>
    ok(present.own(await republishRepository(deps, call.actor, { technology, id: call.id }), call));
  app.route("POST /r/repositories/:id/republish", republish("R"));
  app.route("POST /python/repositories/:id/republish", republish("Python"));

  const purge = (technology: Technology) => async (call: Call) => {
    await purgeByRequest(deps, call.actor, { technology, id: call.id });
    return noContent;
  };
  app.route("DELETE /r/repositories/:id", purge("R"));
  app.route("DELETE /python/repositories/:id", purge("Python"));

  app.route("GET /r/repositories/bad-endpoint", async () => {
    throw new Refusal("error.apply.patch");
  });
}

/** A body without what was left out or null. */
function given<T extends object>(body: T): { [K in keyof T]?: NonNullable<T[K]> } {
  const present = Object.entries(body).filter(([, value]) => value !== null && value !== undefined);
  return Object.fromEntries(present) as { [K in keyof T]?: NonNullable<T[K]> }; // only missing values were taken out
}
