import { z } from "zod";
import { technology } from "./technology.ts";

/** The short forms in which records stand inside other records. */
export const userRef = z.object({ id: z.int(), name: z.string(), login: z.string(), email: z.string() });
export type UserRef = z.infer<typeof userRef>;

export const repositoryRef = z.object({
  id: z.int(),
  name: z.string(),
  publicationUri: z.string(),
  published: z.boolean(),
  requiresAuthentication: z.boolean(),
  technology,
  lastPublicationSuccessful: z.boolean(),
});
export type RepositoryRef = z.infer<typeof repositoryRef>;

export const submissionState = z.enum(["WAITING", "ACCEPTED", "REJECTED", "CANCELLED"]);
export type SubmissionState = z.infer<typeof submissionState>;

export const submissionRef = z.object({ id: z.int(), state: submissionState });
export type SubmissionRef = z.infer<typeof submissionRef>;
