import underPressure from "@fastify/under-pressure";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { Unavailable, type UnavailableReason } from "../errors/refusal.ts";
import type { Settings } from "../settings/settings.ts";

const mebibyte = 1024 * 1024;

/** What is refused first has the lowest share of the limit: uploads, then everything else, finally index reads. */
type Class = "upload" | "other" | "read";
const shares = {
  eventLoopDelay: { upload: 0.5, other: 1, read: 2 },
  // Using half of the memory for regular work is no problem.
  rssBytes: { upload: 0.9, other: 1, read: 2 },
} as const satisfies Record<string, Record<Class, number>>;
const reasons = { eventLoopDelay: "event-loop", rssBytes: "memory" } as const satisfies Record<
  string,
  UnavailableReason
>;
const smallestShare = 0.5;

/** Health must be reported, above all when the server is overloaded. */
const alwaysAnswered = /^\/actuator(\/|$)/;
const uploadPath = /^\/api\/v2\/manager\/(r|python)\/submissions\/?(\?|$)|^\/repo\//;

/** Installers read below `/repo/`, at almost no cost. */
export function classOf({ method, url }: Pick<FastifyRequest, "method" | "url">): Class {
  if (method === "POST" && uploadPath.test(url)) return "upload";
  return url.startsWith("/repo/") ? "read" : "other";
}

/**
 * Refuses requests with 503 while there are more than the process can handle, so that accepted ones are answered in
 * time.
 */
export async function refuseUnderPressure(
  app: FastifyInstance,
  settings: Pick<Settings, "overload.eventLoopDelayMs" | "overload.memoryMegabytes">,
): Promise<void> {
  const limits = {
    eventLoopDelay: settings["overload.eventLoopDelayMs"],
    rssBytes: settings["overload.memoryMegabytes"] * mebibyte,
  };
  await app.register(underPressure, {
    maxEventLoopDelay: limits.eventLoopDelay * smallestShare,
    maxRssBytes: limits.rssBytes * smallestShare,
    async pressureHandler(request) {
      if (alwaysAnswered.test(request.url)) return;
      const asked = classOf(request);
      const used = app.memoryUsage();
      for (const measure of ["eventLoopDelay", "rssBytes"] as const) {
        const value = used[measure];
        // Infinity: the loop was blocked for a whole interval. The next one shows whether it still is.
        if (limits[measure] > 0 && Number.isFinite(value) && value > shares[measure][asked] * limits[measure])
          throw new Unavailable(reasons[measure]);
      }
    },
  });
}
