import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { longestGiven, shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "./list-contract.ts";
import { repositoryRef, repositoryReference, userRef, userReference } from "./references.ts";

export const packageMaintainer = z.object({
  ...promised({
    id: z.int(),
    user: userRef,
    packageName: z.string(),
    repository: repositoryRef,
    deleted: z.boolean(),
  }),
  description: z.string().nullable(),
});

export const packageMaintainerItem = packageMaintainer.extend({ ...promised({ links }), shortened });
export type PackageMaintainerItem = Received<typeof packageMaintainerItem>;

/** `GET /package-maintainers` */
export const packageMaintainerList = listContract({
  path: "/package-maintainers",
  item: packageMaintainerItem,
  filters: { deleted: flag, technology: anyTechnology, repository: anyOf(), search: text },
  sorts: [
    "id",
    "user",
    "packageName",
    "repository",
    "deleted",
    "user.id",
    "user.name",
    "user.login",
    "user.email",
    "repository.id",
    "repository.name",
    "repository.publicationUri",
    "repository.published",
    "repository.requiresAuthentication",
    "repository.technology",
    "repository.lastPublicationSuccessful",
  ],
});

/** Body of `POST /package-maintainers`; unknown properties beside these are ignored. */
export const packageMaintainerCreation = z.object({
  user: userReference,
  packageName: z.union([z.string().max(longestGiven), z.number().transform(String)]).nullish(),
  repository: repositoryReference,
});

/** `GET /package-maintainers/candidates`: who can be made a package maintainer, also for those who may not list users. */
export const candidateList = listContract({
  path: "/package-maintainers/candidates",
  item: userRef,
  filters: { search: text },
  sorts: ["id", "name", "login", "email"],
  defaultSort: { field: "name", direction: "asc" },
});
