import type { FastifyReply, FastifyRequest } from "fastify";
import type { PublishedRepository } from "../records/store.ts";

/** One request for something below a repository's address. */
export interface Download {
  repository: PublishedRepository;
  /** `[]` for the current state, else the first segment of the path: `["@12"]`. The serial is that of the state. */
  snapshot: readonly string[];
  /** The following segments, decoded; the last one is empty if the address ends in a slash. */
  segments: readonly string[];
  request: FastifyRequest;
  reply: FastifyReply;
}

export const cacheable = ({ requiresAuthentication }: PublishedRepository, cacheControl: string): string =>
  requiresAuthentication
    ? `private, ${cacheControl}`
    : cacheControl === "no-cache"
      ? cacheControl
      : `public, ${cacheControl}`;

export const varying = ({ requiresAuthentication }: PublishedRepository, vary: readonly string[]): string[] =>
  requiresAuthentication ? [...vary, "Authorization"] : [...vary];
