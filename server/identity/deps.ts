import type { Logger } from "pino";
import type { Clock } from "../platform/clock.ts";
import type { Db, Tx } from "../platform/db/database.ts";
import type { Limits } from "../platform/limits/limits.ts";
import type { Watch } from "../platform/observability/watch.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { Workers } from "../platform/workers/pool.ts";
import type { ProviderTokens } from "./tokens/provider-tokens.ts";
import type { SessionTokens } from "./tokens/session-tokens.ts";
import type { TokenAddresses } from "./tokens/token-addresses.ts";

/** The dependencies of sign-in, sessions and second factors, assembled by `app/app.ts`. */
export interface IdentityDeps {
  db: Db;
  settings: Settings;
  sessions: SessionTokens;
  /** Undefined unless people may sign in at an identity provider. */
  provider: ProviderTokens | undefined;
  tokenAddresses: TokenAddresses;
  /** Gives an account the role that the provider grants. Throws a `Refusal` for the last administrator. */
  changeRole(tx: Tx, userId: number, rank: number): Promise<void>;
  /** Parses everything that users send. */
  workers: Workers;
  limits: Limits;
  watch: Watch;
  clock: Clock;
  log: Logger;
}
