import type { FastifyInstance } from "fastify";
import type { Logger } from "pino";
import { beginTrace, readTraceparent, type SpanRecorder } from "./trace.ts";
import type { Watch } from "./watch.ts";

/** Where requests are recorded. */
export interface RequestRecords {
  watch: Pick<Watch, "requestEnded">;
  /** Undefined unless traces are recorded. */
  recorder: SpanRecorder | undefined;
  log: Logger;
}

declare module "fastify" {
  interface FastifyRequest {
    traceId: string;
    /** Continues within the request's trace. */
    inTrace: (<Result>(work: () => Result) => Result) | null;
  }
}

/**
 * Puts each request into a trace – the caller's, if it names one – and records its end; `logRequests` logs a line for
 * each. Called before anything else is added to the application, so that refusals are recorded, too.
 */
export function watchRequests(
  app: FastifyInstance,
  { watch, recorder, log }: RequestRecords,
  logRequests: boolean,
): void {
  app.decorateRequest("traceId", "");
  app.decorateRequest("inTrace", null);

  app.addHook("onRequest", (request, reply, done) => {
    const { method } = request;
    // Unknown addresses share one name, since their number is unbounded.
    const route = request.routeOptions.url ?? "none";
    const started = performance.now();
    const { socket } = request.raw;
    const writtenBefore = socket.bytesWritten;
    const { place, run, end } = beginTrace(recorder, {
      name: `${method} ${route}`,
      kind: "server",
      attributes: { "http.request.method": method, "http.route": route },
      parent: readTraceparent(request.headers.traceparent),
    });
    request.traceId = place.traceId;
    request.inTrace = run;
    reply.header("x-trace-id", place.traceId);

    // Emitted once, after the last byte or when the connection is lost.
    reply.raw.once("close", () => {
      const ms = performance.now() - started;
      const status = reply.raw.statusCode;
      const aborted = !reply.raw.writableFinished;
      watch.requestEnded({ method, route, status, seconds: ms / 1000 });
      end({
        attributes: { "http.response.status_code": status },
        ...(status >= 500 ? { error: new Error(`status ${status}`) } : {}),
      });
      if (!logRequests) return;
      log.info(
        {
          traceId: place.traceId,
          method,
          route,
          status,
          ms: Math.round(ms * 10) / 10,
          bytes: socket.bytesWritten - writtenBefore,
          user: request.actor?.id,
          ...(aborted ? { aborted } : {}),
        },
        "request",
      );
    });
    run(done);
  });
  // A body arrives by events of the connection, which belong to no request.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.inTrace) request.inTrace(done);
    else done();
  });
}
