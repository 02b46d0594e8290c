import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { z } from "zod";

const value = z.object({
  stringValue: z.string().optional(),
  intValue: z.coerce.number().optional(),
  boolValue: z.boolean().optional(),
});
const attributes = z.array(z.object({ key: z.string(), value })).transform((all) => {
  return Object.fromEntries(all.map(({ key, value: it }) => [key, it.stringValue ?? it.intValue ?? it.boolValue]));
});
const span = z.object({
  traceId: z.string().length(32),
  spanId: z.string().length(16),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.int(),
  startTimeUnixNano: z.string(),
  endTimeUnixNano: z.string(),
  attributes,
  status: z.object({ code: z.int(), message: z.string().optional() }),
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
});
/** `ExportTraceServiceRequest` of OTLP 1.x, as JSON. */
const exportRequest = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});
export type ReceivedSpan = z.infer<typeof span>;

export interface TraceCollector extends AsyncDisposable {
  address: string;
  spans: ReceivedSpan[];
  /** The resource attributes of the senders. */
  resources: Record<string, unknown>[];
  /** Waits for a matching span. */
  received(wanted: (span: ReceivedSpan) => boolean): Promise<ReceivedSpan>;
}

/** A real receiver of OTLP over HTTP that keeps everything it receives. */
export async function startTraceCollector(): Promise<TraceCollector> {
  const spans: ReceivedSpan[] = [];
  const resources: Record<string, unknown>[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk);
    if (request.url !== "/v1/traces" || request.headers["content-type"] !== "application/json")
      return response.writeHead(404).end();
    for (const { resource, scopeSpans } of exportRequest.parse(JSON.parse(Buffer.concat(chunks).toString()))
      .resourceSpans) {
      resources.push(resource.attributes);
      spans.push(...scopeSpans.flatMap((scope) => scope.spans));
    }
    return response.writeHead(200, { "content-type": "application/json" }).end("{}");
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo; // it listens on a port
  return {
    address: `http://127.0.0.1:${port}`,
    spans,
    resources,
    async received(wanted) {
      const deadline = performance.now() + 10_000;
      for (;;) {
        const found = spans.find(wanted);
        if (found) return found;
        if (performance.now() > deadline)
          throw new Error(`no such span among ${spans.map(({ name }) => name).join(", ")}`);
        await sleep(50);
      }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
