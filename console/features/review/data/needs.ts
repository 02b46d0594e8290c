import type { ReleaseReview } from "./queries.ts";

type Need = NonNullable<ReleaseReview["impact"]>["needs"][number];

/** Fields of R that name what makes a package better, but what it installs without. */
const optional: ReadonlySet<string> = new Set(["Suggests", "Enhances"]);

/** Names of what the release cannot be installed without, and what no repository has in a version that fits. */
export const missingNeeds = (needs: readonly Pick<Need, "field" | "condition" | "found" | "name">[]): string[] => {
  const missing = needs.filter(
    ({ field, condition, found }) =>
      (found === "missing" || found === "unfit") && !optional.has(field) && !/\bextra\b/.test(condition),
  );
  return [...new Set(missing.map(({ name }) => name))];
};
