import type { IdentityDeps } from "../identity/deps.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { SpanRecorder } from "../platform/observability/trace.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import type { Downloads } from "../publish/downloads/count-downloads.ts";
import type { Publication } from "../publish/records/publication.ts";
import type { Notices } from "./mail/notices.ts";
import type { Manuals } from "./manuals/create-manuals.ts";

/** What uploads and decisions request of inspections. The rest is known to the review alone, which imports both. */
export interface InspectionRequests {
  /** Requests the inspection of a waiting package, after the transaction. */
  request(tx: Db | Tx, packageId: number): Promise<void>;
  /** The same for those that wait in the names of packages that were just accepted: these may be their bases now. */
  requestOfNames(
    tx: Tx,
    repositoryId: number,
    accepted: readonly { id: number; normalized_name: string }[],
  ): Promise<void>;
}

/** What use cases depend on; `app/app.ts` puts it together. */
export interface Deps extends IdentityDeps {
  storage: ObjectStorage;
  publication: Publication;
  manuals: Manuals;
  inspections: InspectionRequests;
  notices: Notices;
  downloads: Downloads;
  /** Undefined unless traces are recorded. */
  recorder: SpanRecorder | undefined;
}
