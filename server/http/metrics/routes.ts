import type { Deps } from "../../features/deps.ts";
import { authenticate } from "../../identity/sign-in/authenticate.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { Metrics } from "../../platform/observability/metrics.ts";
import type { App } from "../application.ts";

/** `GET /actuator/prometheus`, for administrators: what is counted tells who uses what. */
export function watchingRoutes({ fastify }: App, deps: Deps, metrics: Metrics): void {
  fastify.get("/actuator/prometheus", async (request, reply) => {
    const caller = await authenticate(deps, { header: request.headers.authorization, address: request.ip });
    request.actor = caller ?? null;
    if (!caller) throw new Refusal("error.user.not.authenticated");
    if (caller.role !== "admin") throw new Refusal("user.not.authorized");
    const { type, text } = await metrics.text();
    return reply.header("content-type", type).header("cache-control", "no-store").send(text);
  });
}
