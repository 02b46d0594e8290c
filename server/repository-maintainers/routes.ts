import { randomUUID } from "node:crypto";
import type { ChangedProperty, EventType } from "@packhouse/contract/events";
import type { ViolationCode } from "@packhouse/contract/messages";
import { repositoryMaintainerList, repositoryMaintainer as shape } from "@packhouse/contract/repository-maintainers";
import { hasRole } from "@packhouse/contract/roles";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import type { Deps } from "../deps.ts";
import { change, recordEvent } from "../events/record-event.ts";
import { created, noContent, ok } from "../http/answer.ts";
import type { App, Call } from "../http/application.ts";
import { patched, readPatch } from "../http/json-patch.ts";
import { invalid, Refusal } from "../http/refusal.ts";
import { restores } from "../http/restores.ts";
import { rechooseResponsible } from "../packages/responsible-user.ts";
import type { Actor } from "../sign-in/actor.ts";
import { presentRepositoryMaintainer, repositoryMaintainerBody } from "./present-repository-maintainer.ts";
import { findRelated, type Related } from "./related-records.ts";
import { type RepositoryMaintainer, repositoryMaintainers } from "./store.ts";

/** Unknown properties beside these are ignored, inside of them refused. */
const reference = z.strictObject({ id: z.coerce.number().int() }).nullish();
const creation = z.object({ user: reference, repository: reference });

export function repositoryMaintainerRoutes(app: App, deps: Deps): void {
  const store = repositoryMaintainers(deps.db);
  const found = async (id: number): Promise<RepositoryMaintainer> => {
    const row = await store.byId(id);
    if (!row) throw new Refusal("error.repositorymaintainer.notfound");
    return row;
  };

  app.list(
    "GET /repository-maintainers",
    repositoryMaintainerList,
    (query) => store.find(query),
    presentRepositoryMaintainer,
  );
  app.route("GET /repository-maintainers/:id", async (call) =>
    ok(presentRepositoryMaintainer(await found(call.id), call)),
  );
  app.route("POST /repository-maintainers", async (call) =>
    created(presentRepositoryMaintainer(await found(await create(deps, call)), call)),
  );
  app.route("PATCH /repository-maintainers/:id", async (call) => {
    await edit(deps, call);
    return ok(presentRepositoryMaintainer(await found(call.id), call));
  });
  app.route("DELETE /repository-maintainers/:id", async ({ id, actor }) => {
    const row = await found(id);
    if (!row.deleted) throw new Refusal("error.repositorymaintainer.notfound");
    await deps.db.transaction().execute(async (tx) => {
      await repositoryMaintainers(tx).purge(id);
      await record(deps, tx, actor, row, "delete", [], "removed for good");
    });
    return noContent;
  });
}

async function create(deps: Deps, { actor, body }: Call): Promise<number> {
  const given = creation.safeParse(body);
  if (!given.success) throw new Refusal("bad.request");
  const { user, repository } = given.data;
  const missing: ViolationCode[] = [
    ...(user ? [] : ["empty.user" as const]),
    ...(repository ? [] : ["empty.repository" as const]),
  ];
  if (!user || !repository) throw invalid(missing);

  return deps.db.transaction().execute(async (tx) => {
    const related = await findRelated(tx, user.id, repository.id);
    if (!related) throw invalid(["could.not.resolve.related.entities"]);
    const store = repositoryMaintainers(tx);
    const there = await store.ofPerson(user.id, repository.id);
    const codes = [...tooLow(related), ...(there && !there.deleted ? ["repositorymaintainer.duplicate" as const] : [])];
    if (codes.length > 0) throw invalid(codes);
    if (there) await store.update(there.id, { deleted: false, deletion_id: null });
    const id = there?.id ?? (await store.insert(user.id, repository.id));
    await rechooseResponsible(tx, repository.id);
    const row = await store.byId(id);
    if (row) await record(deps, tx, actor, row, "create", [], "made");
    return id;
  });
}

const tooLow = ({ person }: Related): ViolationCode[] =>
  hasRole(person.role, "repositorymaintainer") ? [] : ["user.permissions.not.sufficient"];

async function edit(deps: Deps, { actor, id, body }: Call): Promise<void> {
  const operations = readPatch(body);
  await deps.db.transaction().execute(async (tx) => {
    const store = repositoryMaintainers(tx);
    await tx.selectFrom("repository_maintainers").select("id").where("id", "=", id).forUpdate().execute();
    const before = await store.byId(id);
    if (!before) throw new Refusal("error.repositorymaintainer.notfound");
    const after = before.deleted
      ? { ...repositoryMaintainerBody(before), deleted: false }
      : patched(shape, repositoryMaintainerBody(before), operations);
    if (before.deleted && !restores(operations)) throw new Refusal("editing.deleted.resource.not.possible");

    if (after.deleted) {
      await store.update(id, { deleted: true, deletion_id: randomUUID() });
    } else {
      const related = await findRelated(tx, after.user.id, after.repository.id);
      if (!related) throw invalid(["could.not.resolve.related.entities"]);
      const other = await store.ofPerson(after.user.id, after.repository.id);
      const taken = other && !other.deleted && other.id !== id;
      const codes = [...tooLow(related), ...(taken ? ["repositorymaintainer.duplicate" as const] : [])];
      if (codes.length > 0) throw invalid(codes);
      await store.update(id, {
        user_id: after.user.id,
        repository_id: after.repository.id,
        deleted: false,
        deletion_id: null,
      });
    }
    for (const repositoryId of new Set([before.repository_id, after.repository.id]))
      await rechooseResponsible(tx, repositoryId);
    const row = await store.byId(id);
    const changed = [
      ...change("repository", before.repository.name, row?.repository.name),
      ...change("user", before.user.login, row?.user.login),
      ...change("deleted", before.deleted, after.deleted),
    ];
    if (row && changed.length > 0) await record(deps, tx, actor, row, "update", changed, "changed");
  });
}

async function record(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  row: RepositoryMaintainer,
  type: EventType,
  changed: ChangedProperty[],
  verb: string,
): Promise<void> {
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type,
    resource: "REPOSITORY_MAINTAINER",
    resourceId: row.id,
    place: { technology: row.repository.technology, repositoryId: row.repository_id },
    changed,
    purged: type === "delete",
    description: `${actor.name} ${verb} ${row.user.name} maintainer of ${row.repository.name}.`,
  });
}
