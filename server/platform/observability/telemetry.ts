import { randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { productVersion } from "../product-version.ts";
import type { SpanRecorder, TracePlace } from "./trace.ts";

/** An unreachable collector does not delay shutdown. */
const longestEndMs = 5000;

/** Sends spans to a collector with OTLP over HTTP. Its packages are loaded only when there is one. */
export async function openTelemetry(endpoint: string | undefined): Promise<SpanRecorder | undefined> {
  if (endpoint === undefined) return undefined;
  const { ROOT_CONTEXT, SpanKind, SpanStatusCode, TraceFlags, trace } = await import("@opentelemetry/api");
  const { BatchSpanProcessor, TracerProvider } = await import("@opentelemetry/sdk-trace");
  const { resourceFromAttributes } = await import("@opentelemetry/resources");
  const { OTLPTraceExporter } = await import("@opentelemetry/exporter-trace-otlp-http");

  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, "")}/v1/traces` });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "packhouse",
      "service.version": productVersion,
      "service.instance.id": randomUUID(),
    }),
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: 1000 })],
  });
  const tracer = provider.getTracer("packhouse", productVersion);
  const kinds = {
    server: SpanKind.SERVER,
    client: SpanKind.CLIENT,
    consumer: SpanKind.CONSUMER,
    internal: SpanKind.INTERNAL,
  };
  const contextOf = ({ traceId, spanId, sampled }: TracePlace) => ({
    traceId,
    spanId,
    traceFlags: sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
    isRemote: true,
  });

  return {
    start({ name, kind, attributes, parent, links = [], startedAt }) {
      const span = tracer.startSpan(
        name,
        {
          kind: kinds[kind],
          attributes,
          links: links.map((link) => ({ context: contextOf(link) })),
          ...(startedAt ? { startTime: startedAt } : {}),
        },
        parent ? trace.setSpanContext(ROOT_CONTEXT, contextOf(parent)) : ROOT_CONTEXT,
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      return {
        traceId,
        spanId,
        sampled: (traceFlags & TraceFlags.SAMPLED) !== 0,
        end({ error, attributes: more = {} } = {}) {
          span.setAttributes(more);
          if (error !== undefined)
            span.setStatus({ code: SpanStatusCode.ERROR, message: error instanceof Error ? error.message : "failed" });
          span.end();
        },
      };
    },
    async close() {
      await Promise.race([provider.shutdown().catch(() => {}), sleep(longestEndMs, undefined, { ref: false })]);
    },
  };
}
