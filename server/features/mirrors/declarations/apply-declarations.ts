import type { Actor } from "../../../http/actor.ts";
import { firstAdministrator } from "../../../identity/sign-in/first-administrator.ts";
import type { Tx } from "../../../platform/db/database.ts";
import type { RepositoryRow } from "../../../platform/db/schema.ts";
import { Refusal } from "../../../platform/errors/refusal.ts";
import type { Deps } from "../../deps.ts";
import { addRepository } from "../../repositories/create-repository.ts";
import { declareRepository, restoreRepository, softDeleteRepository } from "../../repositories/edit-repository.ts";
import { changeRepositories, type RepositoryUnits } from "../../unit-of-work/change-repository.ts";
import type { Declaration } from "../records/declaration.ts";
import { mirrors } from "../records/store.ts";
import { WrongDeclarations } from "./read-declarations.ts";

/**
 * Creates declared repositories that are missing. In declarative mode also makes existing ones match their declaration,
 * and unpublishes and soft-deletes undeclared ones. All of it or nothing; replicas that start together do it once. False
 * if there is no administrator yet who could have created them.
 */
export async function applyDeclarations(deps: Deps, declarations: readonly Declaration[]): Promise<boolean> {
  const actor = await firstAdministrator(deps);
  if (!actor) return declarations.length === 0;
  const apply = deps.settings["declarative.enabled"] ? applyAll : createMissing;
  await changeRepositories(
    deps,
    async (units) => {
      await mirrors(units.tx).holdDeclarations();
      await apply({ deps, units, actor }, declarations);
      await applyMirrors(units, declarations);
    },
    { publication: "requested" },
  );
  return true;
}

interface Applying {
  deps: Deps;
  units: RepositoryUnits;
  actor: Actor;
}

/** Existing repositories stay as users made them; new ones are unpublished until a user publishes them. */
async function createMissing({ deps, units, actor }: Applying, declarations: readonly Declaration[]): Promise<void> {
  for (const declaration of declarations) {
    const { technology, properties, deleted } = declaration;
    if (deleted || (await units.lockNamed(properties.name))) continue;
    await explained(declaration, () =>
      addRepository(deps, units, actor, { technology, properties: { ...properties, published: false } }),
    );
  }
}

async function applyAll(applying: Applying, declarations: readonly Declaration[]): Promise<void> {
  const { deps, units, actor } = applying;
  for (const { id } of (await undeclared(units.tx, declarations)).filter(({ deleted }) => !deleted)) {
    const unit = await units.lock(id);
    if (!unit || unit.repository.deleted) continue;
    deps.log.warn(
      { repository: unit.repository.name },
      "no declaration names this repository: unpublishing and deleting it",
    );
    await softDeleteRepository(unit, actor);
  }
  for (const declaration of declarations) await explained(declaration, () => applyOne(applying, declaration));
}

async function applyOne({ deps, units, actor }: Applying, declaration: Declaration): Promise<void> {
  const { technology, properties, deleted, path } = declaration;
  const unit = await units.lockNamed(properties.name);
  if (!unit) {
    if (!deleted) await addRepository(deps, units, actor, { technology, properties });
    return;
  }
  const row = unit.repository;
  if (row.technology !== technology)
    throw new WrongDeclarations([
      `${path}: technology: the technology of the repository ${row.name} is ${row.technology}`,
    ]);
  if (deleted) {
    if (!row.deleted) await softDeleteRepository(unit, actor);
    return;
  }
  if (!row.deleted) return declareRepository(unit, actor, properties);
  await restoreRepository(unit, actor);
  const restored = await units.lock(row.id);
  if (restored) await declareRepository(restored, actor, properties);
}

/** Repositories, deleted ones too, that no file declares. */
export const undeclared = (db: Tx | Deps["db"], declarations: readonly Declaration[]): Promise<RepositoryRow[]> =>
  mirrors(db).repositoriesExcept(declarations.map(({ properties }) => properties.name));

/** Mirrors come from files in both modes: there is no other way to declare them. */
async function applyMirrors({ tx, lockNamed }: RepositoryUnits, declarations: readonly Declaration[]): Promise<void> {
  const ids: number[] = [];
  for (const { properties, technology, mirrors: declared, reservedNames } of declarations) {
    const row = (await lockNamed(properties.name))?.repository;
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
