import type { Watch } from "../observability/watch.ts";
import type { Settings } from "../settings/settings.ts";
import { createRateLimits, type RateLimits } from "./rate-limits.ts";
import { createRequestSlots, type RequestSlots } from "./request-slots.ts";

/** The limits that each process enforces by itself. */
export interface Limits {
  rates: RateLimits;
  uploads: RequestSlots;
  /** For JSON bodies large enough to occupy a worker, memory or a database connection. */
  largeBodies: RequestSlots;
}

export const createLimits = (settings: Settings, watch: Pick<Watch, "limitExceeded">): Limits => ({
  rates: createRateLimits(settings, watch),
  uploads: createRequestSlots({
    parallel: settings["upload.parallel"],
    queue: settings["upload.queue"],
    reason: "uploads",
  }),
  largeBodies: createRequestSlots({ parallel: 2, queue: 50, waitMs: 10_000, reason: "large-bodies" }),
});
