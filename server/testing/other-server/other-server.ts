import { randomUUID } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { buffer } from "node:stream/consumers";
import { apiPrefix } from "@packhouse/contract/operation";
import { z } from "zod";
import { callAt, type PromisedCall, type PromisedList } from "./promised-calls.ts";
import { cut, relatedShapes } from "./promised-shapes.ts";

/**
 * Another server with exactly the API that the description promises: it passes calls on to the product and removes
 * every field, link, route, filter and order that only the product has; where the reference server differs, it answers
 * as described for that.
 */
export interface OtherServer {
  address: string;
  /** Every unknown call, such as `GET /packages/12/dependencies`. */
  unknownCalls: readonly string[];
  close(): Promise<void>;
}

type Item = Record<string, unknown>;
type Link = z.infer<typeof linkArray>[number];
interface Caller {
  id: number;
  role: string;
}

const callerAnswer = z.object({ data: z.object({ id: z.number(), role: z.string() }) });
const anyAnswer = z.looseObject({ data: z.unknown() });
const record = z.record(z.string(), z.unknown());
const pageData = z.looseObject({ content: z.array(record) });
const linkArray = z.array(
  z.object({
    rel: z.string(),
    href: z.string(),
    type: z.string().optional(),
    modifiableProperties: z.array(z.string()).optional(),
  }),
);

const cors = (request: IncomingMessage) => ({
  "access-control-allow-origin": request.headers.origin ?? "*",
  "access-control-allow-credentials": "true",
  "access-control-allow-headers": "Content-Type, Authorization",
  "access-control-allow-methods": "HEAD, GET, POST, DELETE, PATCH, OPTIONS, PUT",
});

export async function startOtherServer(product: string): Promise<OtherServer> {
  const unknownCalls: string[] = [];
  let address = "";
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response.writeHead(502, cors(request)).end(String(error));
    });
  });

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = "GET" } = request;
    const url = new URL(request.url ?? "/", product);
    if (method === "OPTIONS") return void response.writeHead(200, cors(request)).end();
    if (url.pathname === "/login") return login(request, response);
    if (!url.pathname.startsWith(apiPrefix)) return problem(request, response, 404, "No static resource.");

    const path = url.pathname.slice(apiPrefix.length);
    const asked = method === "HEAD" ? "GET" : method;
    const found = callAt(asked, path);
    if (!found) {
      unknownCalls.push(`${method} ${path}`);
      if (["GET", "POST", "PATCH", "DELETE"].some((other) => callAt(other, path)))
        return refuse(request, response, { status: 405, messageCode: "method.not.allowed" });
      return problem(request, response, 404, "No static resource.");
    }
    if (/\D/.test(found.id)) {
      unknownCalls.push(`${method} ${path}`);
      return problem(request, response, 400, `Failed to convert 'id' with value: '${found.id}'`);
    }
    const { list } = found.call;
    const wrongOrder = list && keepPromised(url, list);
    if (wrongOrder) return refuse(request, response, wrongOrder);
    const authorization = request.headers.authorization ?? "";
    if (method === "PATCH" && (await isDeleted(path, authorization)))
      return refuse(request, response, { status: 405, messageCode: "editing.deleted.resource.not.possible" });

    const sent = await fetch(new URL(url.pathname + url.search, product), {
      method: asked,
      headers: passedOn(request),
      ...(asked === "GET" ? {} : { body: await buffer(request) }),
    });
    const type = sent.headers.get("content-type") ?? "";
    const headers = { ...cors(request), ...(type ? { "content-type": type } : {}) };
    if (!type.includes("json") || sent.status >= 400)
      return void response.writeHead(sent.status, headers).end(Buffer.from(await sent.arrayBuffer()));
    const body = anyAnswer.parse(await sent.json());
    const caller = await callerOf(authorization);
    const data = promisedData(found.name, found.call, body.data, caller);
    const text = JSON.stringify({ ...body, data }).replaceAll(product, address);
    response.writeHead(sent.status, headers).end(text);
  }

  async function login(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const sent = await fetch(new URL("/login", product), {
      method: "POST",
      headers: passedOn(request),
      body: await buffer(request),
    });
    const body =
      sent.status === 401
        ? { timestamp: new Date().toISOString(), status: 401, error: "Unauthorized", path: "/login" }
        : await sent.json();
    response.writeHead(sent.status, { ...cors(request), "content-type": "application/json" }).end(JSON.stringify(body));
  }

  const callers = new Map<string, Caller>();
  async function callerOf(authorization: string): Promise<Caller> {
    const known = callers.get(authorization);
    if (known) return known;
    const sent = await fetch(`${product}${apiPrefix}/users/me`, { headers: { authorization } });
    const { data } = callerAnswer.parse(await sent.json());
    callers.set(authorization, data);
    return data;
  }

  /** Deleted records cannot be patched there, and so not restored. */
  async function isDeleted(path: string, authorization: string): Promise<boolean> {
    if (path.includes("submissions") || path.includes("user-settings")) return false;
    const sent = await fetch(`${product}${apiPrefix}${path}`, { headers: { authorization } });
    const body = z.object({ data: z.object({ deleted: z.boolean() }) }).safeParse(await sent.json());
    return body.data?.data.deleted ?? false;
  }

  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const bound = server.address();
  address = `http://localhost:${typeof bound === "object" && bound !== null ? bound.port : 0}`;
  return {
    address,
    unknownCalls,
    close: () =>
      new Promise((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  };
}

const passedOn = (request: IncomingMessage): Record<string, string> => ({
  ...(request.headers.authorization ? { authorization: request.headers.authorization } : {}),
  ...(request.headers["content-type"] ? { "content-type": request.headers["content-type"] } : {}),
});

/** Removes unknown filters; returns the refusal of an order that is unknown or makes it fail. */
function keepPromised(url: URL, { filters, sorts, failingSorts = "" }: PromisedList): Refused | undefined {
  const known = new Set(["page", "size", "sort", ...filters.split(" ")]);
  for (const name of new Set(url.searchParams.keys())) if (!known.has(name)) url.searchParams.delete(name);
  const wanted = url.searchParams.getAll("sort").flatMap((sort) => sort.replace(/,(asc|desc)$/i, "").split(","));
  const unknown = wanted.find((name) => ![...sorts.split(" "), ...failingSorts.split(" ")].includes(name));
  if (unknown !== undefined) return { status: 400, messageCode: "unrecognized.query.parameter", data: [unknown] };
  if (wanted.some((name) => failingSorts.split(" ").includes(name)))
    return {
      status: 500,
      messageCode: "internal.error",
      data: { traceId: randomUUID(), timestamp: new Date().toISOString() },
    };
  return undefined;
}

interface Refused {
  status: number;
  messageCode: string;
  data?: unknown;
}

function refuse(request: IncomingMessage, response: ServerResponse, refused: Refused): void {
  const { status, messageCode, data = null } = refused;
  response
    .writeHead(status, { ...cors(request), "content-type": "application/json" })
    .end(JSON.stringify({ status: "ERROR", code: status, message: "refused", messageCode, data }));
}

/** How it refuses requests that do not reach the API itself. */
function problem(request: IncomingMessage, response: ServerResponse, status: number, detail: string): void {
  const title = status === 404 ? "Not Found" : "Bad Request";
  response
    .writeHead(status, { ...cors(request), "content-type": "application/problem+json" })
    .end(JSON.stringify({ type: "about:blank", title, status, detail, instance: request.url }));
}

function promisedData(name: string, { returns, list }: PromisedCall, data: unknown, caller: Caller): unknown {
  if (!returns) return data;
  const one = (item: Item) => promisedItem(name, item, caller, (kept) => cut(kept, returns) as Item); // an object stays one
  if (list) {
    const { content, ...page } = pageData.parse(data);
    return { ...page, content: content.map(one) };
  }
  const item = record.safeParse(data);
  return item.success ? one(item.data) : cut(data, returns);
}

/** An item as it sends it: its fields, the links that it would grant, and texts as it keeps them. */
function promisedItem(name: string, item: Item, caller: Caller, keep: (item: Item) => Item): Item {
  const kept = keep(item);
  if ("links" in kept) kept.links = linksOf(name, item, caller);
  if (typeof kept.description === "string") kept.description = kept.description.replaceAll("\n", "\\n");
  if (kept.packageBag) {
    const bag = record.parse(kept.packageBag);
    const links = linksOf("GET /packages", record.parse(item.packageBag), caller);
    const granted = / \/r\/submissions(\/:id)?$/.test(name) && !name.startsWith("GET /r/submissions ");
    kept.packageBag = { ...bag, links: granted ? links : links.filter(({ type }) => type === undefined) };
  }
  if (typeof item.resourceType === "string" && item.relatedResource !== undefined) {
    const related = relatedShapes[item.resourceType];
    if (related) kept.relatedResource = cut(item.relatedResource, related);
    kept.technology = "Other version: 2.6.2";
  }
  return kept;
}

/** The links of an item: none of ours, and permissions where and as described. */
function linksOf(name: string, item: Item, caller: Caller): Link[] {
  const all = linkArray.safeParse(item.links).data ?? [];
  const plain = all.filter(({ type }) => type === undefined);
  const self = plain.find(({ rel }) => rel === "self")?.href ?? "";
  const granted = all.some(({ type }) => type === "PATCH" || type === "DELETE");
  const both: Link[] = [
    { rel: "self", href: self, type: "PATCH" },
    { rel: "self", href: self, type: "DELETE" },
  ];
  const isAdmin = caller.role === "admin";
  if (/\/python\/(packages|submissions)/.test(name) || name === "GET /submissions/:id") return plain;
  if (name.includes("submissions"))
    return granted ? [...plain, { rel: "self", href: self, type: "PATCH", modifiableProperties: ["state"] }] : plain;
  if (name.includes("packages")) {
    const responsible = z.object({ user: z.object({ id: z.number() }) }).safeParse(item).data?.user.id === caller.id;
    return isAdmin || responsible || granted ? [...plain, ...both] : plain;
  }
  if (/ \/users(\/|$)/.test(name)) {
    const fields = item.id === caller.id ? ["active", "roleId"] : ["deleted", "active", "roleId"];
    return isAdmin ? [...plain, { rel: "self", href: self, type: "PATCH", modifiableProperties: fields }] : plain;
  }
  if (name.includes("user-settings")) return all;
  if (name.includes("access-tokens")) {
    const owner = z.object({ user: z.object({ id: z.number() }) }).safeParse(item).data?.user.id;
    return owner === caller.id ? [...plain, ...both] : plain;
  }
  return granted || (isAdmin && item.deleted === true) ? [...plain, ...both] : plain;
}
