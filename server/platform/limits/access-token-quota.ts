import type { Tx } from "../db/database.ts";
import type { Watch } from "../observability/watch.ts";
import type { Settings } from "../settings/settings.ts";
import { exceeded } from "./exceeded.ts";
import { quotaStore } from "./quota-store.ts";
import { holdQuotasOf } from "./waiting-quotas.ts";

/**
 * Inactive and expired tokens stay in the list until they are deleted: this many are kept for each active one allowed.
 */
const keptPerActive = 10;
const hour = 3600;

/** Refuses one more access token for a user who has as many as the settings allow. */
export async function checkNumberOfTokens(
  { settings, watch }: { settings: Settings; watch: Watch },
  tx: Tx,
  { userId, now }: { userId: number; now: Date },
): Promise<void> {
  const allowed = settings["limits.accessTokens.perUser"];
  if (allowed === 0) return;
  await holdQuotasOf(tx, [userId]);
  const tokens = await quotaStore(tx).accessTokens(userId, now);
  if (tokens.active < allowed && tokens.all < keptPerActive * allowed) return;
  const untilNext = tokens.active >= allowed && tokens.next ? (tokens.next.getTime() - now.getTime()) / 1000 : hour;
  throw exceeded(watch, "too.many.access.tokens", { allowed, retryAfterSeconds: untilNext });
}
