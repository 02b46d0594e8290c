import { Refusal } from "../../platform/errors/refusal.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { App } from "../application.ts";

/** `GET /actuator/prometheus`, for administrators only: the counts reveal who uses what. */
export function metricsRoutes({ fastify, authenticate }: App, metrics: Metrics): void {
  fastify.get("/actuator/prometheus", async (request, reply) => {
    const caller = await authenticate({ header: request.headers.authorization, address: request.ip });
    request.actor = caller ?? null;
    if (!caller) throw new Refusal("error.user.not.authenticated");
    if (caller.role !== "admin") throw new Refusal("user.not.authorized");
    const { type, text } = await metrics.text();
    return reply.header("content-type", type).header("cache-control", "no-store").send(text);
  });
}
