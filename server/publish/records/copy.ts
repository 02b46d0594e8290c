import type { HashMethod } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import type { RepositoryRow } from "../../platform/db/schema.ts";

/** What decides where a repository is copied to. */
export type Placed = Pick<
  RepositoryRow,
  "id" | "name" | "technology" | "server_address" | "published" | "deleted" | "requires_authentication"
>;

/** A place that holds, or held, what a repository serves. */
export interface Copy {
  id: number;
  repositoryId: number;
  technology: Technology;
  place: string;
}

/** The properties of a repository that its copies depend on. */
export interface CopiedRepository {
  id: number;
  name: string;
  technology: Technology;
  /** The serial to copy. */
  serial: number;
  hashMethod: HashMethod;
  publicationUri: string;
}

/** Which place of one kind a repository belongs to. */
export interface CopyPlaces {
  /** Kept with each copy; never changed. */
  readonly name: string;
  /**
   * The place of a published repository; undefined if it has none of this kind. Called for public repositories only.
   */
  placeOf(repository: Placed): string | undefined;
}

export const isPublic = ({ published, deleted }: Pick<RepositoryRow, "published" | "deleted">): boolean =>
  published && !deleted;
