import type { IncomingMessage, RequestListener, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { beginRequest, type RequestRecords } from "../platform/observability/watch-requests.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { hostAllowed, publicPrefix } from "./addresses.ts";
import type { Closing } from "./closing.ts";
import { repeatsHeader } from "./malformed-requests.ts";
import { withoutPrefix } from "./routed-address.ts";

/** An answer that only has to be written. */
export interface ReadyAnswer {
  status: 200 | 304;
  /** Names and values in turns, as Node writes them. */
  headers: readonly string[];
  body: Buffer | undefined;
}

interface Context extends RequestRecords {
  settings: Settings;
  closing: Closing;
}

/** Finds the answer to a request for an address (below the prefix of the public one), if there is one. */
export type FindReadyAnswer = (request: IncomingMessage, address: string) => ReadyAnswer | undefined;

/**
 * Writes answers that are ready before the framework sees the request, which would cost several times as much. Any request
 * that the framework would refuse or end in another way is left to it.
 */
export function answerReadily(
  app: FastifyInstance,
  { settings, closing, ...records }: Context,
  route: string,
  find: FindReadyAnswer,
): void {
  const prefix = publicPrefix(settings);
  const answered = (request: IncomingMessage, response: ServerResponse): boolean => {
    const answer = find(request, withoutPrefix(request.url ?? "/", prefix));
    if (!answer || closing.announced || app.isUnderPressure()) return false;
    if (repeatsHeader(request) || !hostAllowed(settings, request.headers.host)) return false;
    const watched = { request, response, route, user: () => undefined };
    const { place } = beginRequest(records, settings["log.requests"], watched);
    response.writeHead(answer.status, [...answer.headers, "x-trace-id", place.traceId]);
    response.end(answer.body);
    return true;
  };
  const framework = app.server.listeners("request") as RequestListener[]; // of a server for HTTP
  app.server.removeAllListeners("request");
  app.server.on("request", (request, response) => {
    if (!answered(request, response)) for (const serve of framework) serve(request, response);
  });
}
