import { sql } from "kysely";
import type { Actor } from "../../../http/actor.ts";
import { firstAdministrator } from "../../../identity/sign-in/first-administrator.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { RepositoryRow } from "../../../platform/db/schema.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Deps } from "../../deps.ts";
import { addRepository } from "../../repositories/create-repository.ts";
import { declareRepository, restoreRepository, softDeleteRepository } from "../../repositories/edit-repository.ts";
import type { Declaration } from "../records/declaration.ts";
import { mirrors } from "../records/store.ts";
import { WrongDeclarations } from "./read-declarations.ts";

/**
 * Creates what is declared and not there. In declarative mode also makes everything else what its declaration says, and
 * takes offline and deletes, for now, what none declares. All of it or nothing; replicas that start together do it once.
 */
export async function applyDeclarations(deps: Deps, declarations: readonly Declaration[]): Promise<void> {
  const actor = await firstAdministrator(deps);
  if (!actor) {
    if (declarations.length > 0)
      deps.log.warn("repositories are declared, but there is no administrator yet to create them");
    return;
  }
  await deps.db.transaction().execute(async (tx) => {
    await sql`select pg_advisory_xact_lock(hashtext('packhouse declarations'))`.execute(tx);
    await (deps.settings["declarative.enabled"] ? applyAll : createMissing)(deps, tx, actor, declarations);
    await applyMirrors(tx, declarations);
  });
}

const byName = (tx: Tx, name: string): Promise<RepositoryRow | undefined> =>
  tx.selectFrom("repositories").selectAll().where("name", "=", name).forUpdate().executeTakeFirst();

/** What is there stays as people made it; new ones wait for somebody to publish them. */
async function createMissing(deps: Deps, tx: Tx, actor: Actor, declarations: readonly Declaration[]): Promise<void> {
  for (const declaration of declarations) {
    const { technology, properties, deleted } = declaration;
    if (deleted || (await byName(tx, properties.name))) continue;
    await explained(declaration, () => addRepository(deps, tx, actor, technology, { ...properties, published: false }));
  }
}

async function applyAll(deps: Deps, tx: Tx, actor: Actor, declarations: readonly Declaration[]): Promise<void> {
  for (const row of await undeclared(tx, declarations))
    if (!row.deleted) {
      deps.log.warn({ repository: row.name }, "no declaration names this repository: it is taken offline and deleted");
      await softDeleteRepository(deps, tx, actor, row);
    }
  for (const declaration of declarations) await explained(declaration, () => applyOne(deps, tx, actor, declaration));
}

async function applyOne(deps: Deps, tx: Tx, actor: Actor, declaration: Declaration): Promise<void> {
  const { technology, properties, deleted, path } = declaration;
  const row = await byName(tx, properties.name);
  if (!row) {
    if (!deleted) await addRepository(deps, tx, actor, technology, properties);
    return;
  }
  if (row.technology !== technology)
    throw new WrongDeclarations([`${path}: technology: the repository ${row.name} is one for ${row.technology}`]);
  if (deleted) {
    if (!row.deleted) await softDeleteRepository(deps, tx, actor, row);
    return;
  }
  if (row.deleted) await restoreRepository(deps, tx, actor, row);
  await declareRepository(deps, tx, actor, row.deleted ? { ...row, published: false } : row, properties);
}

/** Repositories, deleted ones too, that no file declares. */
export const undeclared = (db: Tx | Deps["db"], declarations: readonly Declaration[]): Promise<RepositoryRow[]> =>
  db
    .selectFrom("repositories")
    .selectAll()
    .where(sql<boolean>`name <> all(${declarations.map(({ properties }) => properties.name)}::text[])`)
    .orderBy("id")
    .execute();

/** In both modes mirrors are what files say: there is no other way to have them. */
async function applyMirrors(tx: Tx, declarations: readonly Declaration[]): Promise<void> {
  const ids: number[] = [];
  for (const { properties, technology, mirrors: declared, reservedNames } of declarations) {
    const row = await byName(tx, properties.name);
    if (row?.technology !== technology) continue;
    ids.push(row.id);
    await mirrors(tx).replace(row.id, declared, reservedNames);
  }
  await mirrors(tx).removeOthers(ids);
}

/** A declaration that the database refuses is as wrong as one that cannot be read. */
async function explained(declaration: Declaration, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const reasons = Array.isArray(error.data) ? error.data : [error.message];
    throw new WrongDeclarations(reasons.map((reason) => `${declaration.path}: ${reason}`));
  }
}
