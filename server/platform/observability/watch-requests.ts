import type { IncomingMessage, ServerResponse } from "node:http";
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

interface WatchedRequest {
  request: IncomingMessage;
  response: ServerResponse;
  route: string;
  /** Once the request is over. */
  user(): number | undefined;
}

/** Puts a request into a trace – the caller's, if it names one – and records its end; `logged` adds a line to the log. */
export function beginRequest(
  { watch, recorder, log }: RequestRecords,
  logged: boolean,
  { request, response, route, user }: WatchedRequest,
): Pick<ReturnType<typeof beginTrace>, "place" | "run"> {
  const { method = "", socket } = request;
  const started = performance.now();
  const writtenBefore = logged ? socket.bytesWritten : 0;
  const { place, run, end } = beginTrace(recorder, {
    name: `${method} ${route}`,
    kind: "server",
    attributes: { "http.request.method": method, "http.route": route },
    parent: readTraceparent(request.headers.traceparent),
  });
  // Emitted once, after the last byte or when the connection is lost.
  response.once("close", () => {
    const ms = performance.now() - started;
    const status = response.statusCode;
    watch.requestEnded({ method, route, status, seconds: ms / 1000 });
    end({
      attributes: { "http.response.status_code": status },
      ...(status >= 500 ? { error: new Error(`status ${status}`) } : {}),
    });
    if (!logged) return;
    log.info(
      {
        traceId: place.traceId,
        method,
        route,
        status,
        ms: Math.round(ms * 10) / 10,
        bytes: socket.bytesWritten - writtenBefore,
        user: user(),
        ...(response.writableFinished ? {} : { aborted: true }),
      },
      "request",
    );
  });
  return { place, run };
}

/**
 * Watches every request that the framework serves. Called before anything else is added to the application, so that
 * refusals are recorded, too.
 */
export function watchRequests(app: FastifyInstance, records: RequestRecords, logged: boolean): void {
  app.decorateRequest("traceId", "");
  app.decorateRequest("inTrace", null);

  app.addHook("onRequest", (request, reply, done) => {
    const { place, run } = beginRequest(records, logged, {
      request: request.raw,
      response: reply.raw,
      // Unknown addresses share one name, since their number is unbounded.
      route: request.routeOptions.url ?? "none",
      user: () => request.actor?.id,
    });
    request.traceId = place.traceId;
    request.inTrace = run;
    reply.header("x-trace-id", place.traceId);
    run(done);
  });
  // A body arrives by events of the connection, which belong to no request.
  app.addHook("preValidation", (request, _reply, done) => {
    if (request.inTrace) request.inTrace(done);
    else done();
  });
}
