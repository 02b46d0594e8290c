import type { Logger } from "pino";
import type { ProviderTokens } from "../identity/provider/provider-tokens.ts";
import type { SessionTokens } from "../identity/sessions/session-tokens.ts";
import type { TokenAddresses } from "../identity/token-addresses.ts";
import type { Clock } from "../platform/clock.ts";
import type { Db } from "../platform/db/database.ts";
import type { Limits } from "../platform/limits/limits.ts";
import type { SpanRecorder } from "../platform/observability/trace.ts";
import type { Watch } from "../platform/observability/watch.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { ObjectStorage } from "../platform/storage/storage.ts";
import type { Workers } from "../platform/workers/pool.ts";
import type { Downloads } from "../publish/downloads/count-downloads.ts";
import type { Publication } from "../publish/records/publication.ts";
import type { Manuals } from "./manuals/create-manuals.ts";

/** What the use cases are given; `app.ts` puts it together. */
export interface Deps {
  db: Db;
  storage: ObjectStorage;
  publication: Publication;
  manuals: Manuals;
  sessions: SessionTokens;
  /** Undefined unless people may sign in at an identity provider. */
  provider: ProviderTokens | undefined;
  tokenAddresses: TokenAddresses;
  settings: Settings;
  downloads: Downloads;
  /** Where everything is parsed that somebody sent. */
  workers: Workers;
  limits: Limits;
  watch: Watch;
  /** Undefined unless traces are recorded. */
  recorder: SpanRecorder | undefined;
  clock: Clock;
  log: Logger;
}
