import type { RepositoryUnit } from "../unit-of-work/repository-unit.ts";
import { missingChecksOf as storedMissingChecks } from "./required-checks-store.ts";

/** Required checks that submissions of a locked repository miss; those that miss none are left out. */
export async function missingChecksOf(
  { tx, repository }: Pick<RepositoryUnit, "tx" | "repository">,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string[]>> {
  return repository.required_checks.length === 0 ? new Map() : storedMissingChecks(tx, ids);
}
