import type { Settings } from "../settings.ts";
import type { Watch } from "../watching/watch.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";
import { createUploadSlots, type UploadSlots } from "./upload-slots.ts";

/** The limits that each process keeps for itself. */
export interface Limits {
  rates: RateLimits;
  uploads: UploadSlots;
}

export const createLimits = (settings: Settings, watch: Pick<Watch, "limitExceeded">): Limits => ({
  rates: createRateLimits(settings, watch),
  uploads: createUploadSlots(settings),
});
