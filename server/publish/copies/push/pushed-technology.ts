import type { HashMethod } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import type { CopiedRepository } from "../../records/copy.ts";
import type { PublishedContent } from "../../serve/published-content.ts";
import type { OnServer, PageWriter, PushPlan } from "./push-plan.ts";
import type { RepositoryServer } from "./repository-server.ts";

/** Reads package files that are pushed. */
export interface OpenFile {
  object(digest: string): Promise<AsyncIterable<Uint8Array>>;
}

/** The properties of a repository that the pushed content depends on. */
export type Described = Pick<CopiedRepository, "publicationUri" | "hashMethod">;

/** What differs between the technologies when a repository is pushed. */
export interface PushedTechnology<T extends Technology> {
  /** The version of the repository on the server, and the files there except indexes. */
  list(server: RepositoryServer): Promise<{ version: number; listed: Set<string> }>;
  plan(content: PublishedContent<T>, onServer: OnServer, open: OpenFile, repository: Described): Promise<PushPlan>;
  pages(hashMethod: HashMethod): PageWriter;
  /** Stands for the content of a repository that may be gone. */
  nothing: PublishedContent<T>;
}
