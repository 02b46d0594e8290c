import { sql } from "kysely";
import type { Deps } from "../deps.ts";
import type { App } from "../http/application.ts";

/** `GET /actuator/health`: 503 until the server can answer, and again when its database cannot. Nobody needs to sign in. */
export function healthRoutes({ fastify }: App, deps: Deps, ready: () => boolean): void {
  fastify.get("/actuator/health", async (_request, reply) => {
    const up = ready() && (await databaseAnswers(deps));
    return reply
      .code(up ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status: up ? "UP" : "DOWN" });
  });
}

async function databaseAnswers({ db }: Deps): Promise<boolean> {
  try {
    await sql`select 1`.execute(db);
    return true;
  } catch {
    return false; // that is the answer
  }
}
