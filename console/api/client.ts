import { type Received, received } from "@packhouse/contract/answer";
import { envelope, type PageOf, pageOf } from "@packhouse/contract/envelope";
import type { AnyList, ItemOf } from "@packhouse/contract/list-contract";
import { apiPrefix } from "@packhouse/contract/routes";
import { z } from "zod";
import { apiAddress, configuration, serverAddress } from "./configuration.ts";
import { credentials } from "./credentials.ts";
import { ApiFailure } from "./failure.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

const anyEnvelope = envelope(z.unknown());

/** An answer that succeeded; `status` tells a plain success from one with a remark. */
export interface Success<Data> {
  status: "SUCCESS" | "WARNING";
  messageCode: string | null;
  data: Data;
}

export const authorization = (): Record<string, string> => {
  const token = credentials().token();
  return token ? { authorization: `Bearer ${token}` } : {};
};

/** Of uploads and verdicts: an installation behind a gateway may have a token of its own for them. */
export const submissionAuthorization = (): Record<string, string> => {
  const token = configuration().submissionToken;
  return token ? { authorization: `Bearer ${token}` } : authorization();
};

async function call<Schema extends z.ZodType>(
  address: string,
  schema: Schema,
  init: RequestInit,
  request = send,
): Promise<Success<Received<Schema>>> {
  const response = await request(address, init);
  const operation = operationOf(init.method, address);
  const body: unknown = response.status === 204 ? noContent : await bodyOf(response);
  const answer = readAnswer({ operation, http: response.status, body }, schema);
  if (configuration().developer) tellDeveloper(operation);
  return answer;
}

const noContent = { status: "SUCCESS", code: 204, message: null, messageCode: null, data: null };

/** A call by method and path, such as `GET /packages/12`. */
export function operationOf(method: string | undefined, address: string): string {
  const { pathname } = new URL(address, document.baseURI);
  const [, path] = pathname.split(apiPrefix);
  return `${method ?? "GET"} ${path ?? pathname}`;
}

/** In developer mode every call that succeeds is told; the app sets how. */
let tellDeveloper: (call: string) => void = () => {};
export const tellDeveloperBy = (tell: typeof tellDeveloper): void => {
  tellDeveloper = tell;
};

/** A call without its id or body is a mistake of ours; it is stopped here and names what is missing. */
export class MissingParameter extends Error {
  readonly parameter: string;
  readonly call: string;
  constructor(parameter: string, call: string) {
    super(`Required parameter ${parameter} was null or undefined when calling ${call}`);
    this.parameter = parameter;
    this.call = call;
  }
}

function mustBeComplete(path: string, body?: { given: unknown }): void {
  if (/\/(undefined|null|NaN)(\/|\?|$)/.test(path)) throw new MissingParameter("id", path);
  if (body && (body.given === undefined || body.given === null)) throw new MissingParameter("body", path);
}

interface Answered {
  operation: string;
  http: number;
  body: unknown;
}

/** Reads a response: refusals are thrown, everything else is read as the contract promises it. */
export function readAnswer<Schema extends z.ZodType>(
  { operation, http, body }: Answered,
  schema: Schema,
): Success<Received<Schema>> {
  if (http >= 400) throw refusalOf(http, body);
  const read = anyEnvelope.safeParse(body);
  if (!read.success) throw new UnreadableResponse(operation, z.prettifyError(read.error));
  const { status, message, messageCode, data } = read.data;
  if (status === "ERROR") throw new ApiFailure(http, messageCode, message ?? "", data);
  const content = received(schema).safeParse(data);
  if (!content.success) throw new UnreadableResponse(operation, z.prettifyError(content.error));
  return { status, messageCode, data: content.data };
}

/** RFC 9457: how servers refuse what does not reach the API itself. */
const problem = z.object({ title: z.string().optional(), detail: z.string().optional() });

function refusalOf(http: number, body: unknown): ApiFailure {
  const enveloped = anyEnvelope.safeParse(body);
  if (enveloped.success)
    return new ApiFailure(http, enveloped.data.messageCode, enveloped.data.message ?? "", enveloped.data.data);
  const { data } = problem.safeParse(body);
  return new ApiFailure(http, null, data?.detail ?? data?.title ?? "", null);
}

/**
 * As the user who is signed in. A session that ends under the page makes it wait until they have signed in again;
 * otherwise the call goes out at once, with the token of this moment: what signs out next drops it.
 */
async function send(address: string, init: RequestInit): Promise<Response> {
  const session = credentials();
  const pause = session.paused();
  if (pause) await pause;
  const settles = init.method === "PATCH" && /\/submissions\/\d+$/.test(address);
  const signed = () => ({
    ...init,
    headers: { ...(settles ? submissionAuthorization() : authorization()), ...init.headers },
  });
  const token = session.token();
  const response = await request(address, signed());
  if (response.status !== 401 || token === null || !session.expired(token)) return response;
  await session.paused();
  return request(address, signed());
}

/** What a response carries; undefined when it is not JSON. A connection that ends in its middle is no response. */
async function bodyOf(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(undefined, null, error instanceof Error ? error.message : "", null);
  }
}

async function request(address: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(address, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiFailure(undefined, null, error instanceof Error ? error.message : "", null);
  }
}

const json = (method: string, type: string, body: unknown, keepalive = false): RequestInit => ({
  method,
  headers: { "content-type": type },
  body: JSON.stringify(body),
  keepalive,
});

/** One replaced property; `replace("/active", false)`. */
export const replace = (path: string, value: unknown) => ({ op: "replace" as const, path, value });
export type Operation = { op: string; path: string; value?: unknown };

/** One schema for each list, so that what reads it is made once. */
const pages = new Map<AnyList, z.ZodType>();
function pageOfList(list: AnyList): z.ZodType {
  const page = pages.get(list) ?? pageOf(list.item);
  pages.set(list, page);
  return page;
}

export const api = {
  get: async <Schema extends z.ZodType>(path: string, schema: Schema, signal?: AbortSignal) => {
    mustBeComplete(path);
    return (await call(apiAddress(path), schema, signal ? { signal } : {})).data;
  },
  post: async <Schema extends z.ZodType>(path: string, schema: Schema, body: unknown = {}) => {
    mustBeComplete(path, { given: body });
    return call(apiAddress(path), schema, json("POST", "application/json", body));
  },
  /** `keepalive` lets the call finish after the page is gone. */
  patch: async <Schema extends z.ZodType>(
    path: string,
    schema: Schema,
    operations: readonly Operation[],
    keepalive = false,
  ) => {
    mustBeComplete(path, { given: operations });
    return call(apiAddress(path), schema, json("PATCH", "application/json-patch+json", operations, keepalive));
  },
  delete: async <Schema extends z.ZodType>(path: string, schema: Schema) => {
    mustBeComplete(path);
    return call(apiAddress(path), schema, { method: "DELETE" });
  },
  /** A call of the sign-in, which has no token yet; `step` is what follows `/login` in its address. */
  login: <Schema extends z.ZodType>(body: unknown, schema: Schema, step = "") =>
    call(`${serverAddress()}/login${step}`, schema, json("POST", "application/json", body), request),
  /** Ends the session that a token names, also when the page is being left. A failure is ignored. */
  async logout(token: string): Promise<void> {
    const headers = { authorization: `Bearer ${token}` };
    await fetch(`${serverAddress()}/logout`, { method: "POST", headers, keepalive: true }).catch(() => {});
  },
  /** One page of a list of the contract. */
  list: async <L extends AnyList>(list: L, query: string, signal?: AbortSignal): Promise<PageOf<ItemOf<L>>> => {
    const page = await api.get(`${list.path}?${query}`, pageOfList(list), signal);
    return page as PageOf<ItemOf<L>>; // read by the list's own schema
  },
  /** A file's bytes; fetched because the token must not stand in an address. */
  async download(path: string): Promise<Blob> {
    const response = await send(apiAddress(path), {});
    if (response.ok) return response.blob();
    throw refusalOf(response.status, await bodyOf(response));
  },
};
