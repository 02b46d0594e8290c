import type { HashMethod } from "@packhouse/contract/repositories";
import type { Technology } from "@packhouse/contract/technology";
import type { RepositoryRow } from "../../platform/db/schema.ts";
import type { PublishedContent } from "../serve/published-content.ts";

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

/** The properties of a repository that what is written elsewhere depends on. */
export interface CopiedRepository {
  id: number;
  name: string;
  technology: Technology;
  /** The serial to copy. */
  serial: number;
  hashMethod: HashMethod;
  publicationUri: string;
}

interface Delivery {
  /** Whether files lie there that the index does not name any more, so that it is to be tidied up later. */
  withdrawnToo: boolean;
}

/** Somewhere outside of this server where published repositories are put, too. */
export interface PublicationTarget {
  /** Kept with each copy; never changed. */
  readonly name: string;
  /** Where a published repository belongs; undefined when it does not belong here. Asked of public repositories only. */
  placeOf(repository: Placed): string | undefined;
  /** Makes a place equal to what the repository serves. Once more, or after an attempt that ended anywhere, it does no harm. */
  deliver(copy: Copy, repository: CopiedRepository, content: PublishedContent): Promise<Delivery>;
  /** Takes everything away that was delivered. A place that the settings no longer name is left as it is. */
  withdraw(copy: Copy): Promise<void>;
}

export const isPublic = ({ published, deleted }: Pick<RepositoryRow, "published" | "deleted">): boolean =>
  published && !deleted;
