import type { CopiedRepository, Copy, CopyPlaces } from "../records/copy.ts";
import type { PublishedContent } from "../serve/published-content.ts";

interface Delivery {
  /** Whether files lie there that the index does not name any more, so that it is to be tidied up later. */
  withdrawnToo: boolean;
}

/** Somewhere outside of this server where published repositories are put, too. */
export interface PublicationTarget extends CopyPlaces {
  /** Makes a place equal to what the repository serves. Once more, or after an attempt that ended anywhere, it does no harm. */
  deliver(copy: Copy, repository: CopiedRepository, content: PublishedContent): Promise<Delivery>;
  /** Takes everything away that was delivered. A place that the settings no longer name is left as it is. */
  withdraw(copy: Copy): Promise<void>;
}
