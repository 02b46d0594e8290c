import { randomUUID } from "node:crypto";
import type { IncomingMessage } from "node:http";
import cors from "@fastify/cors";
import helmet from "@fastify/helmet";
import { instantText } from "@packhouse/contract/envelope";
import { longestPathPart } from "@packhouse/contract/limits";
import type { AnyList, ListQuery, SentItemOf } from "@packhouse/contract/list-contract";
import { type MessageCode, messages } from "@packhouse/contract/messages";
import { operations } from "@packhouse/contract/operations";
import { mayTry } from "@packhouse/contract/permissions";
import { apiPrefix, type RouteName, routes } from "@packhouse/contract/routes";
import fastify, {
  type FastifyBaseLogger,
  type FastifyInstance,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from "fastify";
import { failureAround } from "../platform/backends/outages.ts";
import type { Found } from "../platform/db/found.ts";
import { Refusal, unavailable } from "../platform/errors/refusal.ts";
import type { Limits } from "../platform/limits/limits.ts";
import { refuseUnderPressure } from "../platform/limits/pressure.ts";
import { type RequestRecords, watchRequests } from "../platform/observability/watch-requests.ts";
import type { Settings } from "../platform/settings/settings.ts";
import type { Actor, Authenticate } from "./actor.ts";
import { hostAllowed, publicAddress } from "./addresses.ts";
import { type Answer, envelopeOf, type NoContent, noContent, ok } from "./answer.ts";
import { type Closing, closingOf } from "./closing.ts";
import { fitList } from "./fit-list.ts";
import { acceptedTypes } from "./headers/accept.ts";
import { hasTooManyMembers } from "./json-members.ts";
import { mostPatchBytesHere } from "./json-patch.ts";
import { pageAround, readListQuery } from "./list-query.ts";
import { refuseMalformed, repeatsHeader } from "./malformed-requests.ts";
import { whenOver } from "./when-over.ts";

/** For whom an answer is made, and below which address its links lie. */
export interface Viewer {
  actor: Actor;
  /** Address of the API, such as `https://packages.example.org/api/v2/manager`. */
  api: string;
}

/** One authorised request. */
export interface Call extends Viewer {
  /** The number in the path; 0 where the path has none. */
  id: number;
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  body: unknown;
  request: FastifyRequest;
  reply: FastifyReply;
}

type Handler = (call: Call) => Promise<Answer | NoContent | FastifyReply>;

interface ApplicationDeps extends RequestRecords {
  settings: Settings;
  limits: Limits;
  authenticate: Authenticate;
}

export interface App {
  authenticate: Authenticate;
  fastify: FastifyInstance;
  closing: Closing;
  /** Serves a route of the contract; the role has been checked when the handler runs. */
  route(name: RouteName, handler: Handler): void;
  /** Serves a list of the contract: reads its query, finds one page, presents each row. */
  list<L extends AnyList, Row>(
    name: RouteName,
    list: L,
    find: (query: ListQuery<L>, actor: Actor) => Promise<Found<Row>>,
    present: (row: Row, viewer: Viewer) => SentItemOf<L>,
  ): void;
}

declare module "fastify" {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

const bodyTypes = { POST: "application/json", PATCH: "application/json-patch+json" } as const;
const uploads = new Set<RouteName>(["POST /r/submissions", "POST /python/submissions"]);
const downloads = /\/(download\/:file|manual|vignettes\/:file)$/;

/** The HTTP edge: envelope, errors, order of checks, lists. It knows no feature. */
export async function createApplication(deps: ApplicationDeps): Promise<App> {
  const { settings } = deps;
  const log: FastifyBaseLogger = deps.log;
  const prefix = settings.publicUrl ? new URL(settings.publicUrl).pathname.replace(/\/$/, "") : "";
  const app = fastify({
    loggerInstance: log,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: 1024 * 1024,
    trustProxy: settings.trustedProxies.length > 0 ? [...settings.trustedProxies] : false,
    rewriteUrl: (request) => routedAddress(request, prefix),
    routerOptions: { maxParamLength: longestPathPart },
    genReqId: () => randomUUID(),
    forceCloseConnections: "idle",
    return503OnClosing: false,
    clientErrorHandler: refuseMalformed,
    // What the router itself cannot read, such as an address with a broken escape.
    frameworkErrors: (_error, request, reply) => sendError(new Refusal("bad.request"), request, reply),
  });
  watchRequests(app, deps, settings["log.requests"]);
  await app.register(helmet, {
    contentSecurityPolicy: {
      directives: {
        defaultSrc: ["'self'"],
        scriptSrc: ["'self'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
        imgSrc: ["'self'", "data:", ...logoOrigins(settings)],
        fontSrc: ["'self'"],
        connectSrc: ["'self'", ...providerOrigins(settings)],
        frameSrc: ["'self'", ...providerOrigins(settings)],
        frameAncestors: ["'self'"],
        objectSrc: ["'none'"],
        // Only a server that is reached by TLS may tell browsers to use nothing else.
        upgradeInsecureRequests: null,
      },
    },
    strictTransportSecurity: settings.publicUrl?.startsWith("https:") ?? false,
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
        done(null, isApi(request.url) || isSignIn(request.url) ? forPages : { origin: false }),
    });
  }

  app.decorateRequest("actor", null);
  readBodies(app);
  takeTurns(app, deps.limits);

  await refuseUnderPressure(app, settings);
  app.addHook("onRequest", async (request, reply) => {
    if (repeatsHeader(request) || !hostAllowed(settings, request.headers.host)) throw new Refusal("bad.request");
    if (!isApi(request.url)) return;
    deps.limits.rates.callFrom(request);
    request.actor = (await deps.authenticate({ header: request.headers.authorization, address: request.ip })) ?? null;
    if (request.actor) return deps.limits.rates.callBy(request.actor, reply);
    deps.limits.rates.byStranger(request);
    throw new Refusal("error.user.not.authenticated");
  });
  app.addHook("onSend", async (request, reply) => {
    // What one person may see is for no cache, unless a route sets its own policy.
    if ((isApi(request.url) || isSignIn(request.url)) && !reply.hasHeader("cache-control"))
      reply.header("cache-control", "no-store");
  });
  const closing = closingOf(app);
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
  app.setNotFoundHandler((request) => {
    throw new Refusal(offersOtherMethod(request) ? "method.not.allowed" : "not.found");
  });

  const route = (name: RouteName, handler: Handler) => {
    const [method = "", path = ""] = name.split(" ");
    app.route({
      method,
      url: apiPrefix + path,
      exposeHeadRoute: false,
      ...(uploads.has(name) ? { bodyLimit: settings["upload.maxBytes"] } : {}),
      onRequest: async (request) => checkTypes(request, name),
      handler: async (request, reply) => {
        const { actor } = request;
        if (!actor) throw new Refusal("error.user.not.authenticated");
        const params = (request.params ?? {}) as Record<string, string>; // the router gives texts by name
        const id = readId(params.id);
        checkBody(name, request.body);
        if (!mayTry(routes[name], actor)) throw new Refusal("user.not.authorized");
        const answer: Answer | NoContent | FastifyReply | undefined = await handler({
          actor,
          api: publicAddress(settings, request) + apiPrefix,
          id,
          params,
          query: new URL(request.url, "http://query").searchParams,
          body: request.body,
          request,
          reply,
        });
        // A reply is itself waited for until it is sent, and then gives nothing.
        if (answer === undefined || isReply(answer)) return reply;
        if (answer.status === noContent.status) return reply.code(204).send();
        return reply.code(messages[answer.code].status).send(envelopeOf(answer.status, answer.code, answer.data));
      },
    });
  };

  return {
    fastify: app,
    authenticate: deps.authenticate,
    closing,
    route,
    list: (name, list, find, present) =>
      route(name, async (call) => {
        const query = readListQuery(list, call.query);
        const found = await find(query, call.actor);
        const address = publicAddress(settings, call.request) + withoutPrefix(call.request.originalUrl, prefix);
        const { links, page } = pageAround(address, query, found);
        const content = found.rows.map((row) => present(row, call));
        return sendFitted(call.reply, { links, content, page }, found.textLimit);
      }),
  };
}

/** Answers with data of which there may be much, in as many bytes as an answer may have. */
export function sendFitted(reply: FastifyReply, data: object, textLimit?: number): FastifyReply {
  const { status, code } = ok(null);
  const json = fitList(data, (fitting) => envelopeOf(status, code, fitting), { textLimit });
  return reply.code(messages[code].status).type("application/json; charset=utf-8").send(json);
}

const isReply = (answer: Answer | NoContent | FastifyReply): answer is FastifyReply => "sent" in answer;

/** Logos of the console may lie elsewhere; their origins are the only ones from which it loads anything. */
const logoOrigins = (settings: Settings): string[] =>
  [settings["console.smallLogo.address"], settings["console.largeLogo.address"]].flatMap((address) =>
    address && URL.canParse(address) ? [new URL(address).origin] : [],
  );

/** Where the console asks for tokens, and what it frames to renew them. */
function providerOrigins(settings: Settings): string[] {
  const issuer = settings["auth.oidc.issuer"];
  return settings["auth.oidc.enabled"] && issuer ? [new URL(issuer).origin, ...settings["auth.oidc.origins"]] : [];
}

const isSignIn = (url: string): boolean =>
  /^(\/api)?\/(login(\/password|\/second-factor(\/enrollment(\/confirmation)?)?)?|logout)(\?|$)/.test(url);
const isApi = (url: string): boolean => /^\/api\//.test(url) && !isSignIn(url);

/** Every address of the API works with and without one slash at its end, and below the prefix of the public address. */
function routedAddress(request: IncomingMessage, prefix: string): string {
  const url = withoutPrefix(request.url ?? "/", prefix);
  if (!/^\/(api\/|login|logout)/.test(url)) return url;
  return url.replace(/^([^?]+)\/(\?|$)/, "$1$2");
}

const withoutPrefix = (url: string, prefix: string): string =>
  prefix !== "" && (url === prefix || url.startsWith(`${prefix}/`)) ? url.slice(prefix.length) || "/" : url;

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

/** Whether no text in it has a NUL or one half of a surrogate pair. Not by recursion, because it may be nested deeply. */
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

/** Bodies that may hold a patch for a worker take turns before they are read, and until they are answered. */
function takeTurns(app: FastifyInstance, limits: Pick<Limits, "largeBodies">): void {
  app.addHook("preParsing", async (request, reply, payload) => {
    const { actor, headers } = request;
    const isLarge = Number(headers["content-length"] ?? Number.POSITIVE_INFINITY) > mostPatchBytesHere;
    if (!actor || !isLarge || !headers["content-type"]?.includes("json")) return payload;
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

/** A body of the wrong shape is refused before anybody asks who sent it, as clients of the API expect. */
function checkBody(name: RouteName, given: unknown): void {
  const { body } = operations[name];
  if (body === "json-patch" && !Array.isArray(given)) throw new Refusal("bad.request");
  if (typeof body === "object" && "json" in body && !body.json.safeParse(given).success)
    throw new Refusal("bad.request");
}

const jsonTypes = new Set(["application/json", "application/*", "*/*"]);

/** Content type and acceptable answer are checked before anything is read. */
function checkTypes(request: FastifyRequest, name: RouteName): void {
  const given = request.headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const wanted = uploads.has(name) ? "multipart/form-data" : bodyTypes[request.method as keyof typeof bodyTypes];
  const hasBody = request.headers["content-length"] !== undefined || request.headers["transfer-encoding"] !== undefined;
  const bodyless = /\/(republish|synchronize-mirrors|reset-second-factors|logout)$/.test(name);
  if (wanted && given !== wanted && !(bodyless && (!hasBody || request.headers["content-length"] === "0")))
    throw new Refusal("unsupported.media.type");
  if (!downloads.test(name) && !acceptedTypes(request.headers.accept).some((type) => jsonTypes.has(type)))
    throw new Refusal("not.acceptable");
}

/** Ids are positive and fit the database's integers; what is larger names no record, what is no number is no address. */
function readId(text: string | undefined): number {
  if (text === undefined) return 0;
  if (!/^\d{1,15}$/.test(text)) throw new Refusal("bad.request");
  return Math.min(Number(text), 2_147_483_647);
}

const patterns = Object.keys(routes).map((name) => {
  const path = name.slice(name.indexOf(" ") + 1);
  // bounded expression: the paths are those of our own routes, and none has two variable parts without a slash between
  return new RegExp(`^${apiPrefix}${path.replace(/:\w+/g, "[^/]+")}$`);
});
const offersOtherMethod = (request: FastifyRequest): boolean => {
  const path = request.url.split("?")[0] ?? "";
  return isSignIn(path) || patterns.some((pattern) => pattern.test(path));
};

/** One place turns whatever was thrown into an answer: refusals as they are, all else as a defect with a trace id. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const refusal = refusalOf(error);
  if (refusal && refusal.status < 500)
    return reply
      .code(refusal.status)
      .headers(refusal.headers)
      .type("application/json; charset=utf-8")
      .send(envelopeOf("ERROR", refusal.code, refusal.data));
  const code: MessageCode = refusal?.code ?? "internal.error";
  const level = refusal ? "warn" : "error";
  request.log[level](
    { err: error, traceId: request.traceId, method: request.method, path: request.url.split("?")[0] },
    "request failed",
  );
  return reply
    .code(messages[code].status)
    .headers(refusal?.headers ?? {})
    .type("application/json; charset=utf-8")
    .send(envelopeOf("ERROR", code, { traceId: request.traceId, timestamp: instantText(new Date()) }));
}

/** What was thrown as an expected "no", also where the framework or the disk refused; undefined: a defect. */
export function refusalOf(error: unknown): Refusal | undefined {
  if (error instanceof Refusal) return error;
  const status = error instanceof Error && "statusCode" in error ? error.statusCode : undefined;
  const failure = failureAround(error);
  if (failure === "full") return new Refusal("storage.full");
  if (failure === "unavailable") return unavailable();
  if (status === 413) return new Refusal("payload.too.large");
  if (status === 415) return new Refusal("unsupported.media.type");
  if (status === 404) return new Refusal("not.found");
  if (typeof status === "number" && status >= 400 && status < 500) return new Refusal("bad.request");
  return undefined;
}
