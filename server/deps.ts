import type { Logger } from "pino";
import type { Clock } from "./clock.ts";
import type { Db } from "./db/database.ts";
import type { Downloads } from "./downloads/count-downloads.ts";
import type { Limits } from "./limits/limits.ts";
import type { Manuals } from "./manuals/create-manuals.ts";
import type { Publication } from "./publication/publication.ts";
import type { Settings } from "./settings.ts";
import type { ProviderTokens } from "./sign-in/provider-tokens.ts";
import type { SessionTokens } from "./sign-in/session-tokens.ts";
import type { TokenAddresses } from "./sign-in/token-addresses.ts";
import type { ObjectStorage } from "./storage/storage.ts";
import type { SpanRecorder } from "./watching/trace.ts";
import type { Watch } from "./watching/watch.ts";
import type { Workers } from "./workers/pool.ts";

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
