import { randomUUID } from "node:crypto";
import type { ChangedProperty, EventType } from "@packhouse/contract/events";
import { listContract, text } from "@packhouse/contract/list-contract";
import type { ViolationCode } from "@packhouse/contract/messages";
import { packageMaintainerList, packageMaintainer as shape } from "@packhouse/contract/package-maintainers";
import { may, type PermissionName } from "@packhouse/contract/permissions";
import { userRef as userRefShape } from "@packhouse/contract/references";
import { hasRole, rankOf } from "@packhouse/contract/roles";
import { formatOf } from "@packhouse/formats/format";
import { sql } from "kysely";
import { z } from "zod";
import type { Tx } from "../db/database.ts";
import { contains } from "../db/page.ts";
import type { Deps } from "../deps.ts";
import { change, recordEvent } from "../events/record-event.ts";
import { created, noContent, ok } from "../http/answer.ts";
import type { App, Call } from "../http/application.ts";
import { patched, readPatch } from "../http/json-patch.ts";
import { invalid, Refusal } from "../http/refusal.ts";
import { restores } from "../http/restores.ts";
import { rechooseResponsible } from "../packages/responsible-user.ts";
import { findRelated, type Related } from "../repository-maintainers/related-records.ts";
import { type Actor, standingTo } from "../sign-in/actor.ts";
import { packageMaintainerBody, presentPackageMaintainer } from "./present-package-maintainer.ts";
import { type PackageMaintainer, packageMaintainers } from "./store.ts";

/** Unknown properties beside these are ignored, inside of them refused. */
const reference = z.strictObject({ id: z.coerce.number().int() }).nullish();
const creation = z.object({ user: reference, repository: reference, packageName: z.string().nullish() });

/** People who can be made package maintainers; also for those who may not list all users. */
const candidateList = listContract({
  path: "/package-maintainers/candidates",
  item: userRefShape,
  filters: { search: text },
  sorts: ["id", "name"],
});

export function packageMaintainerRoutes(app: App, deps: Deps): void {
  const store = packageMaintainers(deps.db);
  const found = async (id: number): Promise<PackageMaintainer> => {
    const row = await store.byId(id);
    if (!row) throw new Refusal("error.packagemaintainer.notfound");
    return row;
  };

  app.list(
    "GET /package-maintainers",
    packageMaintainerList,
    (query, actor) => store.find(query, actor),
    presentPackageMaintainer,
  );
  app.list(
    "GET /package-maintainers/candidates",
    candidateList,
    async ({ filters, page, size }) => {
      const pattern = contains(filters.search ?? "");
      const matching = deps.db
        .selectFrom("users")
        .where("active", "=", true)
        .where("deleted", "=", false)
        .where("rank", ">=", rankOf("packagemaintainer"))
        .where(sql<boolean>`(lower(name) like ${pattern} or lower(login) like ${pattern})`);
      const rows = await matching
        .select(["id", "name", "login", "email"])
        .orderBy("name")
        .orderBy("id")
        .limit(size)
        .offset(page * size)
        .execute();
      const { count } = await matching.select(sql<number>`count(*)`.as("count")).executeTakeFirstOrThrow();
      return { rows, total: count };
    },
    (row) => row,
  );
  app.route("GET /package-maintainers/:id", async (call) => {
    const row = await found(call.id);
    const own = row.deleted ? undefined : row.user_id;
    check("readPackageMaintainer", call.actor, row.repository_id, own);
    return ok(presentPackageMaintainer(row, call));
  });
  app.route("POST /package-maintainers", async (call) =>
    created(presentPackageMaintainer(await found(await create(deps, call)), call)),
  );
  app.route("PATCH /package-maintainers/:id", async (call) => {
    await edit(deps, call);
    return ok(presentPackageMaintainer(await found(call.id), call));
  });
  app.route("DELETE /package-maintainers/:id", async ({ id, actor }) => {
    const row = await found(id);
    if (!row.deleted) throw new Refusal("error.packagemaintainer.notfound");
    await deps.db.transaction().execute(async (tx) => {
      await packageMaintainers(tx).purge(id);
      await record(deps, tx, actor, row, "delete", [], "removed for good");
    });
    return noContent;
  });
}

function check(permission: PermissionName, actor: Actor, repositoryId: number, ownerId?: number): void {
  if (!may(permission, actor, standingTo(actor, { repositoryId, ownerId }))) throw new Refusal("user.not.authorized");
}

async function create(deps: Deps, { actor, body }: Call): Promise<number> {
  const given = creation.safeParse(body);
  if (!given.success) throw new Refusal("bad.request");
  const { user, repository } = given.data;
  const packageName = given.data.packageName ?? "";
  const missing: ViolationCode[] = [];
  if (packageName === "") missing.push("empty.package");
  if (!user) missing.push("empty.user");
  if (!repository) missing.push("empty.repository");
  if (!user || !repository) throw invalid(missing);

  return deps.db.transaction().execute(async (tx) => {
    const related = await findRelated(tx, user.id, repository.id);
    if (!related) throw invalid(["could.not.resolve.related.entities"]);
    check("createPackageMaintainer", actor, repository.id);
    const store = packageMaintainers(tx);
    const normalizedName = formatOf(related.repository.technology).normalizeName(packageName);
    const rows = await store.ofPackage(repository.id, normalizedName);
    const codes = [...missing, ...tooLow(related), ...taken(deps, rows, user.id)];
    if (codes.length > 0) throw invalid(codes);

    const earlier = rows.find((row) => row.deleted && row.user_id === user.id);
    if (earlier) await store.update(earlier.id, { deleted: false, deletion_id: null, package_name: packageName });
    const id =
      earlier?.id ??
      (await store.insert({
        user_id: user.id,
        repository_id: repository.id,
        package_name: packageName,
        normalized_name: normalizedName,
      }));
    await rechooseResponsible(tx, repository.id, normalizedName);
    const row = await store.byId(id);
    if (row) await record(deps, tx, actor, row, "create", [], "made");
    return id;
  });
}

const tooLow = ({ person }: Related): ViolationCode[] =>
  hasRole(person.role, "packagemaintainer") ? [] : ["user.permissions.not.sufficient"];

/** One package has one maintainer, unless the settings allow several; nobody is it twice. */
function taken(
  { settings }: Deps,
  rows: readonly { id: number; user_id: number; deleted: boolean }[],
  userId: number,
  except = 0,
): ViolationCode[] {
  const live = rows.filter((row) => !row.deleted && row.id !== except);
  if (live.some((row) => row.user_id === userId)) return ["package.already.maintained"];
  return live.length > 0 && !settings["maintainers.several"] ? ["package.has.maintainer"] : [];
}

async function edit(deps: Deps, { actor, id, body }: Call): Promise<void> {
  const operations = readPatch(body);
  await deps.db.transaction().execute(async (tx) => {
    const store = packageMaintainers(tx);
    await tx.selectFrom("package_maintainers").select("id").where("id", "=", id).forUpdate().execute();
    const before = await store.byId(id);
    if (!before) throw new Refusal("error.packagemaintainer.notfound");
    check("editPackageMaintainer", actor, before.repository_id);
    const item = packageMaintainerBody(before);
    if (before.deleted && !(restores(operations) && may("seeDeleted", actor)))
      throw new Refusal("editing.deleted.resource.not.possible");
    const after = before.deleted ? { ...item, deleted: false } : patched(shape, item, operations);

    const related = await findRelated(tx, after.user.id, after.repository.id);
    if (!related) throw invalid(["could.not.resolve.related.entities"]);
    const normalizedName = formatOf(related.repository.technology).normalizeName(after.packageName);
    if (after.deleted) {
      await store.update(id, { deleted: true, deletion_id: randomUUID() });
    } else {
      check("editPackageMaintainer", actor, after.repository.id);
      const moved =
        normalizedName !== before.normalized_name || after.repository.id !== before.repository_id || before.deleted;
      const rows = moved ? await store.ofPackage(after.repository.id, normalizedName) : [];
      const codes: ViolationCode[] = [
        ...(after.packageName === "" ? ["empty.package" as const] : []),
        ...tooLow(related),
        ...taken(deps, rows, before.user_id, id),
      ];
      if (codes.length > 0) throw invalid(codes);
      await store.update(id, {
        repository_id: after.repository.id,
        package_name: after.packageName,
        normalized_name: normalizedName,
        deleted: false,
        deletion_id: null,
      });
    }
    await rechooseResponsible(tx, before.repository_id, before.normalized_name);
    await rechooseResponsible(tx, after.repository.id, normalizedName);
    const row = await store.byId(id);
    const changed = [
      ...change("package", before.package_name, after.packageName),
      ...change("repository", before.repository.name, row?.repository.name),
      ...change("deleted", before.deleted, after.deleted),
    ];
    if (row && changed.length > 0) await record(deps, tx, actor, row, "update", changed, "changed");
  });
}

async function record(
  deps: Deps,
  tx: Tx,
  actor: Actor,
  row: PackageMaintainer,
  type: EventType,
  changed: ChangedProperty[],
  verb: string,
): Promise<void> {
  await recordEvent(tx, {
    by: actor,
    at: deps.clock(),
    type,
    resource: "PACKAGE_MAINTAINER",
    resourceId: row.id,
    place: {
      technology: row.repository.technology,
      repositoryId: row.repository_id,
      normalizedName: row.normalized_name,
    },
    changed,
    purged: type === "delete",
    description: `${actor.name} ${verb} ${row.user.name} maintainer of ${row.package_name} in ${row.repository.name}.`,
  });
}
