import type { Logger } from "pino";
import type { Db } from "../../platform/db/database.ts";
import { ping } from "../../platform/db/statements/ping.ts";
import { boundedAnswer } from "../../platform/observability/bounded-answer.ts";
import type { ObjectStorage } from "../../platform/storage/storage.ts";
import type { App } from "../application.ts";

type Status = "UP" | "DOWN";
interface Health {
  status: Status;
  components: Record<string, { status: Status }>;
}

const word = (up: boolean): Status => (up ? "UP" : "DOWN");

/**
 * Health for load balancers and people: no sign-in, and only which components work. Answers are bounded in time and
 * cached for a second, so that frequent requests cost nothing.
 */
interface Probed {
  db: Db;
  storage: ObjectStorage;
  log: Logger;
}

export function healthRoutes({ fastify }: App, { db, storage, log }: Probed, listening: () => boolean): void {
  const probe = (component: string, ask: () => Promise<unknown>) =>
    boundedAnswer(
      async () => {
        await ask();
        return true;
      },
      (error) => log.warn({ err: error, component }, "a required part of the server does not work"),
    );
  const probes = {
    db: probe("db", () => ping(db)),
    storage: probe("storage", () => storage.probe()),
  };
  const isUp = async (name: keyof typeof probes): Promise<boolean> => (await probes[name]()) ?? false;

  /** For API clients: whether the API can answer. */
  fastify.get("/actuator/health", async (_request, reply) => {
    const up = listening() && (await isUp("db"));
    return reply
      .code(up ? 200 : 503)
      .header("cache-control", "no-store")
      .send({ status: word(up) });
  });

  /** Whether the process works; if not, only a restart helps. Its dependencies do not count. */
  fastify.get("/actuator/health/liveness", async (_request, reply) =>
    reply.header("cache-control", "no-store").send(healthOf({ process: true })),
  );

  /** Whether requests should come here. Package files cannot be read without the storage, so it counts. */
  fastify.get("/actuator/health/readiness", async (_request, reply) => {
    const [dbUp, storageUp] = await Promise.all([isUp("db"), isUp("storage")]);
    const health = healthOf({ server: listening(), db: dbUp, storage: storageUp });
    return reply
      .code(health.status === "UP" ? 200 : 503)
      .header("cache-control", "no-store")
      .send(health);
  });
}

function healthOf(components: Record<string, boolean>): Health {
  return {
    status: word(Object.values(components).every(Boolean)),
    components: Object.fromEntries(Object.entries(components).map(([name, up]) => [name, { status: word(up) }])),
  };
}
