import type { PackageDependencies } from "@packhouse/contract/dependencies";
import { formatOf } from "@packhouse/formats/format";
import type { Actor } from "../../http/actor.ts";
import type { Deps } from "../deps.ts";
import { findFacts } from "./contents/find-facts.ts";
import { locateDependencies } from "./contents/locate-dependencies.ts";
import { locateDependenciesTask } from "./contents/package-tasks.ts";
import { dependentsOf, versionsOf } from "./dependency-store.ts";
import type { Package } from "./package-columns-store.ts";

/** Dependencies of a package, where they can be found, and its reverse dependencies: always three statements. */
export async function findDependencies(
  deps: Pick<Deps, "db" | "storage" | "workers">,
  actor: Actor,
  row: Package,
): Promise<PackageDependencies> {
  const { dependencies: needed, incomplete } = await findFacts(deps, row);
  const { normalizeName } = formatOf(row.technology);
  const names = [...new Set(needed.map(({ name }) => normalizeName(name)))];
  const candidates = await versionsOf(deps.db, actor, row.technology, names);
  const wanted = { technology: row.technology, repository: row.repository.name, needed, candidates };
  // Without versions to compare, no constraint is parsed.
  const dependencies =
    candidates.length === 0
      ? locateDependencies(wanted)
      : await deps.workers.run(locateDependenciesTask, wanted, { whose: actor.id });
  const isShortened = incomplete.includes("dependencies") || dependencies.length < needed.length;
  return {
    dependencies,
    dependents: await dependentsOf(deps.db, actor, row),
    ...(isShortened ? { shortened: ["dependencies"] } : {}),
  };
}
