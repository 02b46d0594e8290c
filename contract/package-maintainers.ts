import { z } from "zod";
import { links } from "./links.ts";
import { anyOf, anyTechnology, flag, listContract, text } from "./list-contract.ts";
import { repositoryRef, userRef } from "./references.ts";

export const packageMaintainer = z.object({
  id: z.int(),
  user: userRef,
  packageName: z.string(),
  repository: repositoryRef,
  deleted: z.boolean(),
  description: z.string().nullable(),
});

export const packageMaintainerItem = packageMaintainer.extend({ links });
export type PackageMaintainerItem = z.infer<typeof packageMaintainerItem>;

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
