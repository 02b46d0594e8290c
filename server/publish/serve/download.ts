import type { FastifyReply, FastifyRequest } from "fastify";
import type { PublishedRepository } from "../records/store.ts";
import type { Preview } from "./create-preview.ts";

/** A repository as it is sent. */
export interface SentRepository extends PublishedRepository {
  /** It shows a waiting release, which nothing may keep. */
  isPreview?: true;
}

/** One request for something below a repository's address. */
export interface Download {
  repository: SentRepository;
  /** The index and the files with a waiting release. */
  preview?: Preview;
  /** `[]` for the current state, else the first segment of the path: `["@12"]`. The serial is that of the state. */
  snapshot: readonly string[];
  /** The following segments, decoded; the last one is empty if the address ends in a slash. */
  segments: readonly string[];
  request: FastifyRequest;
  reply: FastifyReply;
}

export function cacheable({ requiresAuthentication, isPreview }: SentRepository, cacheControl: string): string {
  if (isPreview) return "private, no-store";
  if (requiresAuthentication) return `private, ${cacheControl}`;
  return cacheControl === "no-cache" ? cacheControl : `public, ${cacheControl}`;
}

export const varying = ({ requiresAuthentication }: PublishedRepository, vary: readonly string[]): string[] =>
  requiresAuthentication ? [...vary, "Authorization"] : [...vary];
