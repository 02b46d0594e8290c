import type { ReleaseReview } from "./queries.ts";

type Compared = {
  release: Pick<ReleaseReview["release"], "version" | "base">;
  comparison: Pick<NonNullable<ReleaseReview["comparison"]>, "fields"> | null;
};

/** The version that the release is compared with, by default or by the user's choice; undefined without a base. */
export function comparedVersion({ release, comparison }: Compared, chosen: string | undefined): string | undefined {
  if (chosen === undefined) return release.base?.version;
  if (chosen === "none") return undefined;
  return comparison?.fields.find(({ name }) => name === "Version")?.before ?? release.version;
}
