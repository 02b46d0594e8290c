import { z } from "zod";
import { promised } from "./answer.ts";
import { technology } from "./technology.ts";

/** The short forms in which records appear inside other records. */
export const userRef = z.object(promised({ id: z.int(), name: z.string(), login: z.string(), email: z.string() }));
export type UserRef = z.infer<typeof userRef>;

export const repositoryRef = z.object(
  promised({
    id: z.int(),
    name: z.string(),
    publicationUri: z.string(),
    published: z.boolean(),
    requiresAuthentication: z.boolean(),
    technology,
    lastPublicationSuccessful: z.boolean(),
  }),
);
export type RepositoryRef = z.infer<typeof repositoryRef>;

/** Sort fields of lists whose items refer to a user and a repository. */
export const userSorts = ["user.id", "user.name", "user.login", "user.email"] as const;
export const repositorySorts = [
  "repository.id",
  "repository.name",
  "repository.publicationUri",
  "repository.published",
  "repository.requiresAuthentication",
  "repository.technology",
  "repository.lastPublicationSuccessful",
] as const;

const givenId = z.int().optional();

/**
 * A reference in a request body: only `id` counts, other known fields may be sent back as they were served,
 * and anything unknown is refused. An omitted id is 0, which no record has.
 */
const reference = <Shape extends z.ZodRawShape>(shape: Shape) => {
  const ignored = Object.fromEntries(Object.keys(shape).map((key) => [key, z.unknown().optional()]));
  return z.strictObject({ ...ignored, links: z.unknown().optional(), id: givenId }).nullish();
};
/** A reference in a patched record: only `id` counts, and whatever else it has is ignored. */
export const patchedReference = z.object({ id: givenId }).nullish();
export const userReference = reference(userRef.shape);
export const repositoryReference = reference(repositoryRef.shape);

export const submissionState = z.enum(["WAITING", "ACCEPTED", "REJECTED", "CANCELLED"]);
export type SubmissionState = z.infer<typeof submissionState>;

export const submissionRef = z.object(promised({ id: z.int(), state: submissionState }));
export type SubmissionRef = z.infer<typeof submissionRef>;
