import { randomUUID } from "node:crypto";
import cors from "@fastify/cors";
import { instantText } from "@packhouse/contract/envelope";
import { longestPathPart } from "@packhouse/contract/limits";
import type { AnyList, ListQuery, SentItemOf } from "@packhouse/contract/list-contract";
import { type MessageCode, messages } from "@packhouse/contract/messages";
import type { Operation } from "@packhouse/contract/operation";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import type { Logger } from "pino";
import { outageKind } from "../platform/backends/outages.ts";
import type { Found } from "../platform/db/pages/found.ts";
import { Refusal, Unavailable } from "../platform/errors/refusal.ts";
import type { Limits } from "../platform/limits/limits.ts";
import { refuseUnderPressure } from "../platform/limits/pressure.ts";
import type { Watch } from "../platform/observability/watch.ts";
import { type RequestRecords, watchRequests } from "../platform/observability/watch-requests.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { Actor, ActorNow, Authenticate } from "./actor.ts";
import { hostAllowed, publicAddress, publicPrefix } from "./addresses.ts";
import { envelopeOf } from "./answer.ts";
import { type Closing, closingOf } from "./closing.ts";
import { Fitted, type Handler, queryOf, serveOperation } from "./handle.ts";
import { securityHeaders } from "./headers/security-headers.ts";
import { hasTooManyMembers } from "./json-members.ts";
import { pageAround, readListQuery } from "./list-query.ts";
import { refuseMalformed, repeatsHeader } from "./malformed-requests.ts";
import { watchMethods } from "./offered-methods.ts";
import { mostPatchBytesHere } from "./patch/json-patch.ts";
import { answerReadily, type FindReadyAnswer } from "./ready-answers.ts";
import { isApi, isSignIn, routedAddress, withoutPrefix } from "./routed-address.ts";
import { whenOver } from "./when-over.ts";

/** Whom an answer is for, and the base address of its links. */
export interface Viewer {
  actor: Actor;
  /** Address of the API, such as `https://packages.example.org/api/v2/manager`. */
  api: string;
}

interface ApplicationDeps extends RequestRecords {
  watch: RequestRecords["watch"] & Pick<Watch, "wasUnavailable">;
  settings: Settings;
  limits: Limits;
  authenticate: Authenticate;
  actorNow: ActorNow;
}

export interface App {
  authenticate: Authenticate;
  fastify: FastifyInstance;
  closing: Closing;
  /** Answers of a route that may be given before the framework sees the request. */
  answerReadily(route: string, find: FindReadyAnswer): void;
  /** Serves an operation of the contract; the role has been checked when the handler runs. */
  handle<O extends Operation>(operation: O, handler: Handler<O>): void;
  /** Serves a list of the contract: reads its query, finds one page, presents each row. */
  list<L extends AnyList, Row>(
    operation: Operation & { answer: { list: L } },
    find: (query: ListQuery<L>, actor: Actor) => Promise<Found<Row>>,
    present: (row: Row, viewer: Viewer) => SentItemOf<L>,
  ): void;
}

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

/** The HTTP edge: envelope, errors, order of checks, lists. It knows no feature. */
export async function createApplication(deps: ApplicationDeps): Promise<App> {
  const { settings } = deps;
  const log = forFastify(deps.log);
  const sendSecurityHeaders = securityHeaders(settings);
  const prefix = publicPrefix(settings);
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: (request) => routedAddress(request.url ?? "/", prefix),
    routerOptions: { maxParamLength: longestPathPart },
    genReqId: () => randomUUID(),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: refuseMalformed,
    // Addresses that the router itself cannot parse, such as one with a broken escape. No hook runs for them.
    frameworkErrors(_error, request, reply) {
      sendSecurityHeaders(request.raw, reply.raw, () => sendError(new Refusal("bad.request"), request, reply));
    },
  });
  // Before the first route, because a route keeps the handler that there is when it is added.
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  // Also runs where a route has an error handler of its own.
  app.addHook("onError", (_request, _reply, error, done) => {
    const refusal = refusalOf(error);
    if (refusal instanceof Unavailable) deps.watch.wasUnavailable(refusal.reason);
    done();
  });
  const methodsAt = watchMethods(app);
  watchRequests(app, deps, settings["log.requests"]);
  app.addHook("onRequest", (request, reply, done) => {
    if (request.routeOptions.config.securityHeaders === false) return done();
    sendSecurityHeaders(request.raw, reply.raw, done);
  });

  if (settings.allowedOrigins.length > 0) {
    const forPages = {
      origin: [...settings.allowedOrigins],
      methods: ["GET", "HEAD", "POST", "PATCH", "DELETE"],
      allowedHeaders: ["Authorization", "Content-Type"],
      exposedHeaders: ["Content-Disposition", "Retry-After", "RateLimit", "RateLimit-Policy"],
      credentials: true,
    };
    await app.register(cors, {
      delegator: (request, done) =>
        done(
          null,
          isApi(request.url) || isSignIn(request.url)
            ? { ...forPages, preflight: isPreflight(request) }
            : { origin: false },
        ),
    });
  }

  app.decorateRequest("actor", null);
  readBodies(app);
  authorizeLateBodies(app, deps.actorNow);
  takeTurns(app, deps.limits);

  await refuseUnderPressure(app, settings);
  app.addHook("onRequest", async (request, reply) => {
    if (repeatsHeader(request.raw) || !hostAllowed(settings, request.headers.host)) throw new Refusal("bad.request");
    if (!isApi(request.url) || isPreflight(request)) return;
    deps.limits.rates.callFrom(request);
    request.actor = (await deps.authenticate({ header: request.headers.authorization, address: request.ip })) ?? null;
    if (request.actor) return deps.limits.rates.callBy(request.actor, reply);
    deps.limits.rates.byStranger(request);
    throw new Refusal("error.user.not.authenticated");
  });
  app.addHook("onSend", async (request, reply) => {
    // Personal answers must not be cached, unless a route sets its own policy.
    if ((isApi(request.url) || isSignIn(request.url)) && !reply.hasHeader("cache-control"))
      reply.header("cache-control", "no-store");
  });
  const closing = closingOf(app);
  app.setNotFoundHandler((request, reply) => {
    const methods = methodsAt(request.url);
    const allow = methods.join(", ");
    if (request.method === "OPTIONS" && methods.length > 0) return reply.code(204).header("allow", allow).send();
    // A route for many addresses may have the method, and nothing at this one.
    if (methods.length === 0 || methods.includes(request.method)) throw new Refusal("not.found");
    throw new Refusal("method.not.allowed", null, { allow });
  });

  return {
    fastify: app,
    authenticate: deps.authenticate,
    closing,
    answerReadily: (route, find) => answerReadily(app, { ...deps, closing }, route, find),
    handle: (operation, handler) => serveOperation({ app, settings }, operation, handler),
    list: (operation, find, present) =>
      serveOperation({ app, settings }, operation, async (call) => {
        const query = readListQuery(operation.answer.list, queryOf(call.request));
        const found = await find(query, call.actor);
        const address = publicAddress(settings, call.request) + withoutPrefix(call.request.originalUrl, prefix);
        const { links, page } = pageAround(address, query, found);
        const content = found.rows.map((row) => present(row, call));
        return new Fitted({ links, content, page }, found.textLimit);
      }),
  };
}

/**
 * All that the framework itself notes at level `info` is where the server listens. People read that in a sentence, so
 * it is left out unless the log has details for developers.
 */
const forFastify = (log: Logger): FastifyBaseLogger => (log.level === "info" ? log.child({}, { level: "warn" }) : log);

/** What a browser asks before a page of another origin may send a call. It has no credentials. */
const isPreflight = ({ method, headers }: FastifyRequest): boolean =>
  method === "OPTIONS" && headers.origin !== undefined && headers["access-control-request-method"] !== undefined;

function readBodies(app: FastifyInstance): void {
  const utf8 = new TextDecoder("utf-8", { fatal: true });
  const parse = async (_request: FastifyRequest, body: Buffer) => {
    if (body.length === 0) return undefined;
    if (hasTooManyMembers(body)) throw new Refusal("bad.request");
    try {
      const text = utf8.decode(body);
      const value: unknown = JSON.parse(text);
      // Only an escape can stand for a character that the database does not store.
      if (text.includes("\\u") && !isStorable(value)) throw new Refusal("bad.request");
      return value;
    } catch {
      throw new Refusal("bad.request");
    }
  };
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(["application/json", "application/json-patch+json"], { parseAs: "buffer" }, parse);
}

/** Whether no text in it has a NUL or a lone surrogate. Iterative, because it may be deeply nested. */
function isStorable(value: unknown): boolean {
  const left = [value];
  while (left.length > 0) {
    const next = left.pop();
    if (typeof next === "string" && (next.includes("\0") || !next.isWellFormed())) return false;
    if (typeof next !== "object" || next === null) continue;
    for (const [key, part] of Object.entries(next)) left.push(key, part);
  }
  return true;
}

function hasLargeBody({ headers }: FastifyRequest): boolean {
  const isLarge = Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) > mostPatchBytesHere;
  return isLarge && (headers["content-type"]?.includes("json") ?? false);
}

/** Bodies that may hold a patch for a worker take turns before they are read, and until they are answered. */
function takeTurns(app: FastifyInstance, limits: Pick<Limits, "largeBodies">): void {
  app.addHook("preParsing", async (request, reply, payload) => {
    const { actor } = request;
    if (!actor || !hasLargeBody(request)) return payload;
    await new Promise<void>((begin, refuse) => {
      const untilAnswered = () =>
        new Promise<void>((done) => {
          whenOver(reply, done);
          begin();
        });
      limits.largeBodies.run(actor, request, untilAnswered).catch(refuse);
    });
    return payload;
  });
}

/**
 * Who sends a request is known from its headers. Where the body arrives later or waits, rights may have ended since: without a
 * second look, anyone who opened a connection with a stolen session could complete a call after the session has ended.
 */
function authorizeLateBodies(app: FastifyInstance, actorNow: ActorNow): void {
  const late = new WeakSet<FastifyRequest>();
  app.addHook("preParsing", async (request) => {
    if (request.actor && (!request.raw.complete || hasLargeBody(request))) late.add(request);
  });
  // Uploads read their body themselves, and check again when they store it.
  app.addHook("preHandler", async (request) => {
    if (request.actor && late.has(request) && request.raw.complete) request.actor = await actorNow(request.actor);
  });
}

/** Headers of the content that was about to be sent when reading it failed. */
const ofContent = [
  "etag",
  "last-modified",
  "content-encoding",
  "content-disposition",
  "content-range",
  "accept-ranges",
] as const;

/** The one place that turns errors into answers: refusals as they are, everything else as a defect with a trace id. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  for (const name of ofContent) reply.removeHeader(name);
  reply
    .header("cache-control", "no-store")
    .headers(refusal?.headers ?? {})
    .type("application/json; charset=utf-8");
  if (refusal && refusal.status < 500)
    return reply.code(refusal.status).send(envelopeOf("ERROR", refusal.code, refusal.data));
  const code: MessageCode = refusal?.code ?? "internal.error";
  const reason = refusal instanceof Unavailable ? refusal.reason : undefined;
  const level = refusal ? "warn" : "error";
  request.log[level](
    { err: error, reason, traceId: request.traceId, method: request.method, path: request.url.split("?")[0] },
    "request failed",
  );
  return reply
    .code(messages[code].status)
    .send(envelopeOf("ERROR", code, { traceId: request.traceId, timestamp: instantText(new Date()) }));
}

/** The error as an expected refusal, including those of the framework or the disk; undefined for a defect. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const failure = outageKind(error);
  if (failure) return failure === "full" ? new Refusal("storage.full") : new Unavailable(failure);
  if (status === 413) return new Refusal("payload.too.large");
  if (status === 415) return new Refusal("unsupported.media.type");
  if (status === 404) return new Refusal("not.found");
  if (typeof status === "number" && status >= 400 && status < 500) return new Refusal("bad.request");
  return undefined;
}
