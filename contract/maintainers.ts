import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { longestGiven, shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "./list-contract.ts";
import {
  patchedReference,
  repositoryRef,
  repositoryReference,
  repositorySorts,
  userRef,
  userReference,
  userSorts,
} from "./references.ts";

/** The record that a user maintains something; `own` names it, unless it is the whole repository. */
const maintainer = <Own extends z.ZodRawShape>(own: Own) =>
  z.object({
    ...promised({ id: z.int(), user: userRef, ...own, repository: repositoryRef, deleted: z.boolean() }),
    description: z.string().nullable(),
  });
const patchedReferences = { user: patchedReference, repository: patchedReference };
const itemFields = { ...promised({ links }), shortened };

export const packageMaintainer = maintainer({ packageName: z.string() });
/** The same after a patch, and `repositoryMaintainerPatched`: of what it refers to, only the ids count. */
export const packageMaintainerPatched = packageMaintainer.extend(patchedReferences);
export const packageMaintainerItem = packageMaintainer.extend(itemFields);
export type PackageMaintainerItem = Received<typeof packageMaintainerItem>;

export const repositoryMaintainer = maintainer({});
export const repositoryMaintainerPatched = repositoryMaintainer.extend(patchedReferences);
export const repositoryMaintainerItem = repositoryMaintainer.extend(itemFields);
export type RepositoryMaintainerItem = Received<typeof repositoryMaintainerItem>;

const sorts = ["repository", "deleted", ...userSorts, ...repositorySorts] as const;

const names = ["user", "user.name", "repository", "repository.name"] as const;

/** `GET /package-maintainers` */
export const packageMaintainerList = listContract({
  path: "/package-maintainers",
  item: packageMaintainerItem,
  filters: { deleted: flag, technology: anyTechnology, repository: anyOf(), search: text },
  sorts: ["id", "user", "packageName", ...sorts],
  names: ["packageName", ...names],
});

/** `GET /repository-maintainers` */
export const repositoryMaintainerList = listContract({
  path: "/repository-maintainers",
  item: repositoryMaintainerItem,
  filters: { deleted: flag, resourceTechnology: anyTechnology, search: text },
  sorts: ["id", "user", ...sorts],
  names,
});

/** Body of `POST /repository-maintainers`; unknown properties are ignored, here and for packages. */
export const repositoryMaintainerCreation = z.object({ user: userReference, repository: repositoryReference });

/** Body of `POST /package-maintainers` */
export const packageMaintainerCreation = z.object({
  user: userReference,
  packageName: z.string().max(longestGiven).nullish(),
  repository: repositoryReference,
});

/**
 * `GET /package-maintainers/candidates`: users who can become package maintainers,
 * also for callers who may not list users.
 */
export const candidateList = listContract({
  path: "/package-maintainers/candidates",
  item: userRef,
  filters: { search: text },
  sorts: ["id", "name", "login", "email"],
  names: ["name", "login", "email"],
  defaultSort: { field: "name", direction: "asc" },
});
