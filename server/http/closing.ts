import type { FastifyInstance } from "fastify";

/** How a server stops to serve. */
export interface Closing {
  /** From now on each answer ends its connection, so that clients and balancers go elsewhere with their next request. */
  announce(): void;
  /** Takes no connection any more, lets what was asked be answered, and cuts what then remains. */
  close(withinMs: number): Promise<void>;
}

export function closingOf(app: FastifyInstance): Closing {
  let announced = false;
  let closing = false;
  app.addHook("onSend", async (_request, reply) => {
    if (announced) reply.header("connection", "close");
  });
  app.addHook("onResponse", async () => {
    // An answer that was on its way already could not say so. Not before: a connection that is idle here may have
    // a request on its way, too.
    if (closing) setImmediate(() => app.server.closeIdleConnections());
  });
  return {
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
