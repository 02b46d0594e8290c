import { z } from "zod";
import { promised, type Received } from "./answer.ts";
import { shortened } from "./limits.ts";
import { links } from "./links.ts";
import { anyTechnology, flag, listContract, text } from "./list-contract.ts";
import { repositoryRef, repositoryReference, userRef, userReference } from "./references.ts";

export const repositoryMaintainer = z.object({
  ...promised({
    id: z.int(),
    user: userRef,
    repository: repositoryRef,
    deleted: z.boolean(),
  }),
  description: z.string().nullable(),
});

export const repositoryMaintainerItem = repositoryMaintainer.extend({ ...promised({ links }), shortened });
export type RepositoryMaintainerItem = Received<typeof repositoryMaintainerItem>;

/** `GET /repository-maintainers` */
export const repositoryMaintainerList = listContract({
  path: "/repository-maintainers",
  item: repositoryMaintainerItem,
  filters: { deleted: flag, resourceTechnology: anyTechnology, search: text },
  sorts: [
    "id",
    "user",
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

/** Body of `POST /repository-maintainers`; unknown properties beside these are ignored. */
export const repositoryMaintainerCreation = z.object({ user: userReference, repository: repositoryReference });
