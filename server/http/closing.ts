import type { FastifyInstance } from "fastify";

/** How a server stops serving. */
export interface Closing {
  readonly announced: boolean;
  /**
   * From now on each answer closes its connection, so that clients and load balancers send their next request
   * elsewhere.
   */
  announce(): void;
  /** Accepts no more connections, finishes pending requests, then closes what remains. */
  close(withinMs: number): Promise<void>;
}

export function closingOf(app: FastifyInstance): Closing {
  let announced = false;
  let closing = false;
  app.addHook("onSend", async (_request, reply) => {
    if (announced) reply.header("connection", "close");
  });
  app.addHook("onResponse", async () => {
    // Answers already in flight could not close their connection. Not earlier: a connection that is idle here may have
    // a request in flight.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
  return {
    get announced() {
      return announced;
    },
    announce() {
      announced = true;
    },
    async close(withinMs) {
      announced = true;
      closing = true;
      const deadline = setTimeout(() => app.server.closeAllConnections(), withinMs);
      await app.close();
      clearTimeout(deadline);
    },
  };
}
