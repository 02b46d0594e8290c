import underPressure from "@fastify/under-pressure";
import type { FastifyInstance } from "fastify";
import type { Settings } from "../settings.ts";
import { unavailable } from "./refusal.ts";

const mebibyte = 1024 * 1024;

/** Who asks how the server is must be told, most of all when it is not well. */
const alwaysAnswered = /^\/actuator(\/|$)/;
/** Installers read here, and an answer costs next to nothing. */
const cheap = /^\/repo\//;

/** Refuses requests by 503 while there are more than the process can work off, so that those it takes are answered in time. */
export async function refuseUnderPressure(
  app: FastifyInstance,
  settings: Pick<Settings, "overload.eventLoopDelayMs" | "overload.memoryMegabytes">,
): Promise<void> {
  const limits: Record<string, number> = {
    [underPressure.TYPE_EVENT_LOOP_DELAY]: settings["overload.eventLoopDelayMs"],
    [underPressure.TYPE_RSS_BYTES]: settings["overload.memoryMegabytes"] * mebibyte,
  };
  await app.register(underPressure, {
    maxEventLoopDelay: limits[underPressure.TYPE_EVENT_LOOP_DELAY] ?? 0,
    maxRssBytes: limits[underPressure.TYPE_RSS_BYTES] ?? 0,
    async pressureHandler({ url }, _reply, type, value = 0) {
      // Infinity: the loop stood still for one whole interval. Whether it goes on doing so, the next one tells.
      if (alwaysAnswered.test(url) || !Number.isFinite(value)) return;
      if (cheap.test(url) && value <= 2 * (limits[type] ?? 0)) return;
      throw unavailable();
    },
  });
}
