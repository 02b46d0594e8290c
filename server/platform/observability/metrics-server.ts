import { createServer } from "node:http";
import type { Metrics } from "./metrics.ts";

/** Serves the metrics on a separate port to anyone who can reach it. */
export async function startMetricsServer(
  { text }: Pick<Metrics, "text">,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const path = request.url?.split("?")[0];
    if (path !== "/actuator/prometheus" || request.method !== "GET") return response.writeHead(404).end("Not found\n");
    const metrics = await text();
    response.writeHead(200, { "content-type": metrics.type, "cache-control": "no-store" }).end(metrics.text);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    // Processes that share the port of the product do not share this one.
    server.listen({ port, host, exclusive: true }, () => resolve());
  });
  return {
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
