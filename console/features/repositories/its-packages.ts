import type { RepositoryItem } from "@packhouse/contract/repositories";

/** The packages of a repository in their list; those of a deleted one were deleted with it. */
export const itsPackages = ({ name, deleted }: Pick<RepositoryItem, "name" | "deleted">) =>
  ({ to: "/packages", search: { repository: name, ...(deleted ? { deleted: "true" } : {}) } }) as const;
