import type { CopiedRepository, Copy, CopyPlaces } from "../records/copy.ts";
import type { PublishedContent } from "../serve/published-content.ts";

interface Delivery {
  /** Whether it holds files that the index no longer names, to be cleaned up later. */
  withdrawnToo: boolean;
}

/** A kind of place outside of this server that published repositories are copied to. */
export interface PublicationTarget extends CopyPlaces {
  /** Makes a place equal to what the repository serves. Idempotent, also after an interrupted attempt. */
  deliver(copy: Copy, repository: CopiedRepository, content: PublishedContent): Promise<Delivery>;
  /** Removes everything that was delivered. Places that the settings no longer name are left as they are. */
  withdraw(copy: Copy): Promise<void>;
}
