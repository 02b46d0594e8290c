import type { Impact } from "@packhouse/contract/review/impact";
import { formatOf } from "@packhouse/formats/format";
import type { Actor } from "../../../http/actor.ts";
import type { Deps } from "../../deps.ts";
import { findDependencies } from "../../packages/find-dependencies.ts";
import type { Package } from "../../packages/package-columns-store.ts";
import { impactStore, isRequired } from "./impact-store.ts";
import { computeImpactTask } from "./impact-tasks.ts";

/** What resolves differently once the release of a package is accepted, in the repositories that the caller may read. */
export async function findImpact(
  deps: Pick<Deps, "db" | "storage" | "workers">,
  actor: Actor,
  row: Package,
): Promise<Impact> {
  const store = impactStore(deps.db, actor);
  const named = { technology: row.technology, normalizedName: row.normalized_name };
  const [release, files, { dependents, total }, needs] = await Promise.all([
    store.release(row),
    store.filesOf(named),
    store.dependentsOf(named),
    needsOf(deps, actor, row),
  ]);
  const computed = await deps.workers.run(
    computeImpactTask,
    {
      technology: row.technology,
      repositoryId: row.repository_id,
      release,
      files: files.filter(({ id }) => id !== row.id),
      replaced: release.flatMap(({ replacesId }) => replacesId ?? []),
      dependents,
    },
    { whose: actor.id },
  );
  return { ...computed, dependentsTotal: total, ...needs };
}

async function needsOf(
  deps: Pick<Deps, "db" | "storage" | "workers">,
  actor: Actor,
  row: Package,
): Promise<Pick<Impact, "needs" | "needsInTotal">> {
  const store = impactStore(deps.db, actor);
  const { normalizeName, dependencies: declared } = formatOf(row.technology);
  const { dependencies } = await findDependencies(deps, actor, row);
  const absent = dependencies.filter(({ availability }) => availability === "missing" || availability === "elsewhere");
  const names = [...new Set(absent.map(({ name }) => name))];
  const required = dependencies.filter(isRequired).map(({ name }) => normalizeName(name));
  const [mirrored, all] = await Promise.all([
    names.length > 0 ? store.mirrored(row, names) : new Set(),
    required.length > 0 ? store.neededInTurn(row, required) : [],
  ]);
  const others = all.filter((name) => name !== row.normalized_name && !declared.isBuiltIn(name));
  const needs: Impact["needs"] = dependencies.map(({ kind, name, constraint, condition, availability, found }) => ({
    field: kind === "requires" ? "Requires-Dist" : kind.slice(0, 1).toUpperCase() + kind.slice(1),
    name,
    constraint,
    condition,
    found: mirrored.has(name) && availability === "missing" ? "upstream" : availability,
    version: found?.version ?? null,
  }));
  return { needs, needsInTotal: others.length };
}
