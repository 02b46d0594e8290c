import type { IdentityDeps } from "../identity/deps.ts";
import type { SpanRecorder } from "../platform/observability/trace.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import type { Downloads } from "../publish/downloads/count-downloads.ts";
import type { Publication } from "../publish/records/publication.ts";
import type { Notices } from "./mail/notices.ts";
import type { Manuals } from "./manuals/create-manuals.ts";
import type { Inspections } from "./review/inspections/create-inspections.ts";

/** What use cases depend on; `app/app.ts` puts it together. */
export interface Deps extends IdentityDeps {
  storage: ObjectStorage;
  publication: Publication;
  manuals: Manuals;
  inspections: Inspections;
  notices: Notices;
  downloads: Downloads;
  /** Undefined unless traces are recorded. */
  recorder: SpanRecorder | undefined;
}
