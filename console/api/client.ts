import { type Received, received } from "@packhouse/contract/answer";
import { envelope, type PageOf, pageOf } from "@packhouse/contract/envelope";
import type { AnyList, ItemOf, SortOf } from "@packhouse/contract/list-contract";
import { nameOf, type Operation, type ParametersOf, pathOf, type ReceivedFrom } from "@packhouse/contract/operation";
import { type SignInOperation, signOut } from "@packhouse/contract/operations/sign-in";
import { z } from "zod";
import { apiAddress, configuration, serverAddress } from "./configuration.ts";
import { credentials } from "./credentials.ts";
import { ApiFailure } from "./failure.ts";
import { naturally } from "./natural-order.ts";
import { UnreadableResponse } from "./unreadable-response.ts";

const anyEnvelope = envelope(z.unknown());

/** A successful response; `status` distinguishes a plain success from one with a remark. */
export interface Success<Data> {
  status: "SUCCESS" | "WARNING";
  messageCode: string | null;
  data: Data;
}

export const authorization = (): Record<string, string> => {
  const token = credentials().token();
  return token ? { authorization: `Bearer ${token}` } : {};
};

/** For uploads and decisions: an installation behind a gateway may use a separate token for them. */
export const submissionAuthorization = (): Record<string, string> => {
  const token = configuration().submissionToken;
  return token ? { authorization: `Bearer ${token}` } : authorization();
};

/** A request and how to read its response. */
interface Exchange<Schema extends z.ZodType> {
  /** Such as `GET /packages/12`. */
  name: string;
  address: string;
  init: RequestInit;
  schema: Schema;
  request?: Transport;
}

/** Sends a request. Resolves with whatever the server responds; throws an `ApiFailure` without a status if it does not. */
export type Transport = (address: string, init: RequestInit) => Promise<Response>;

async function exchange<Schema extends z.ZodType>({
  name,
  address,
  init,
  schema,
  request = send,
}: Exchange<Schema>): Promise<Success<Received<Schema>>> {
  const response = await request(address, init);
  const body: unknown = response.status === 204 ? noContent : await bodyOf(response);
  const success = readAnswer({ operation: name, http: response.status, body }, schema);
  if (configuration().developer) notifyDeveloper(name);
  return success;
}

const noContent = { status: "SUCCESS", code: 204, message: null, messageCode: null, data: null };
/** Responses without a contract are not read. */
const nothing = z.unknown().transform(() => null);

/** In developer mode, every successful call is reported; the app sets how. */
let notifyDeveloper: (call: string) => void = () => {};
export const notifyDeveloperBy = (notify: typeof notifyDeveloper): void => {
  notifyDeveloper = notify;
};

/** A call without a part of its path is a bug of ours; it is stopped here with an error that names what is missing. */
export class MissingParameter extends Error {
  readonly parameter: string;
  readonly call: string;
  constructor(parameter: string, call: string) {
    super(`Required parameter ${parameter} was null or undefined when calling ${call}`);
    this.parameter = parameter;
    this.call = call;
  }
}

/** The path of a call; throws if one of its parameters is missing. */
function completePath<O extends Operation>(operation: O, input: ParametersOf<O>): string {
  for (const [name, value] of Object.entries(input))
    if (value === undefined || value === null || Number.isNaN(value))
      throw new MissingParameter(name, nameOf(operation));
  return pathOf(operation, input);
}

interface Answered {
  operation: string;
  http: number;
  body: unknown;
}

/** Reads a response: refusals are thrown, anything else is read as the contract promises it. */
function readAnswer<Schema extends z.ZodType>(
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

interface Sending {
  sign?: typeof authorization;
  transport?: Transport;
}

/**
 * Sends a call as the signed-in user. While the session is paused, it waits until they have signed in again; otherwise
 * it is sent immediately with the current token, before a sign-out can drop that. A refusal because of who sent it is
 * reported here, so that no kind of call can miss it.
 */
async function send(
  address: string,
  init: RequestInit,
  { sign = authorization, transport = request }: Sending = {},
): Promise<Response> {
  const session = credentials();
  const pause = session.paused();
  if (pause) await pause;
  const signed = () => ({ ...init, headers: { ...sign(), ...init.headers } });
  if (sign === submissionAuthorization && configuration().submissionToken !== null)
    return aboutInstallation(await transport(address, signed()));
  const token = session.token();
  const response = await transport(address, signed());
  if (response.status !== 401 || token === null || !session.expired(token)) return noticed(response, token);
  await session.paused();
  const renewed = session.token();
  return noticed(await transport(address, signed()), renewed);
}

/** A refusal of the installation's own token says nothing about the user, whom signing in again would not help. */
const aboutInstallation = (response: Response): Response =>
  response.status === 401 ? new Response(response.body, { status: 403, headers: response.headers }) : response;

/** Reports a refusal of the sender, unless it was a call of a session that has ended since. */
function noticed(response: Response, token: string | null): Response {
  const session = credentials();
  const { status } = response;
  if ((status === 401 || status === 403) && token !== null && session.token() === token) session.refused(status);
  return response;
}

/** The body of a response; undefined if it is not JSON. A connection that breaks while reading is no response. */
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

/** One replaced property; `replace("/active", false)`. */
export const replace = (path: string, value: unknown) => ({ op: "replace" as const, path, value });
export type PatchStep = ReturnType<typeof replace>;

/** One schema per list, so that it is only built once. */
const pages = new Map<AnyList, z.ZodType>();
function pageOfList(list: AnyList): z.ZodType {
  const page = pages.get(list) ?? pageOf(list.item);
  pages.set(list, page);
  return page;
}

/** The parameters, the query and the body of a call. */
export type Input<O extends Operation> = ParametersOf<O> &
  (O extends { query: infer Query } ? { query?: { [Name in keyof Query]?: string } | URLSearchParams } : unknown) &
  (O extends { body: { json: infer Json extends z.ZodType } }
    ? { body: z.input<Json> }
    : O extends { body: "json-patch" }
      ? { body: readonly PatchStep[] }
      : unknown);

interface CallOptions {
  signal?: AbortSignal;
  /** Lets the call finish after the page is closed. */
  keepalive?: boolean;
  /** Credentials other than the session's. */
  sign?: typeof authorization;
}

/** Sends a call of the contract; returns the data of its response. */
export async function call<O extends Operation>(
  operation: O,
  input: Input<O>,
  { signal, keepalive = false, sign }: CallOptions = {},
): Promise<ReceivedFrom<O>> {
  const { path, query, body } = parts(operation, input);
  const { data } = await exchange({
    name: `${operation.method} ${path}`,
    address: apiAddress(path + query),
    init: { method: operation.method, keepalive, ...(signal ? { signal } : {}), ...body },
    schema: schemaOf(operation),
    request: (address, init) => send(address, init, sign ? { sign } : {}),
  });
  return data as ReceivedFrom<O>; // read with the operation's own schema
}

/** The bytes of a file; fetched, because an address must not contain the token. */
export async function download<O extends Operation & { answer: { file: readonly string[] } }>(
  operation: O,
  input: Input<O>,
): Promise<Blob> {
  const { path, query } = parts(operation, input);
  const response = await send(apiAddress(path + query), {});
  if (response.ok) return response.blob();
  throw refusalOf(response.status, await bodyOf(response));
}

function schemaOf({ answer }: Operation): z.ZodType {
  return typeof answer === "object" && "data" in answer ? answer.data : nothing;
}

const contentTypes = { POST: "application/json", PATCH: "application/json-patch+json" } as const;

/** Path, query and body of a call, as `fetch` takes them. */
function parts<O extends Operation>(operation: O, input: Input<O>): { path: string; query: string; body: RequestInit } {
  const given: { query?: Record<string, string> | URLSearchParams; body?: unknown } = input;
  const { query, body, ...parameters } = given;
  const path = completePath(operation, parameters as ParametersOf<O>); // the rest of the input
  const type = operation.method === "POST" || operation.method === "PATCH" ? contentTypes[operation.method] : undefined;
  return {
    path,
    query: query ? `?${new URLSearchParams(query)}` : "",
    body: type ? { headers: { "content-type": type }, body: JSON.stringify(body ?? {}) } : {},
  };
}

/** Sends a form with a file by a transport that reports its progress; an upload may succeed with a remark. */
export function upload<Schema extends z.ZodType>(
  operation: Operation & { method: "POST"; answer: { data: Schema } },
  { query, form }: { query: URLSearchParams; form: FormData },
  transport: Transport,
): Promise<Success<Received<Schema>>> {
  const { path } = operation;
  return exchange({
    name: `${operation.method} ${path}`,
    address: apiAddress(`${path}?${query}`),
    init: { method: operation.method, body: form },
    schema: operation.answer.data,
    request: (address, init) => send(address, init, { sign: submissionAuthorization, transport }),
  });
}

/** A call of the sign-in, which has no token yet. */
export async function signInBy<Json extends z.ZodType, Data extends z.ZodType>(
  { path, data: schema }: SignInOperation & { json: Json; data: Data },
  body: z.input<Json>,
): Promise<Received<Data>> {
  const { data } = await exchange({
    name: `POST ${path}`,
    address: serverAddress() + path,
    init: { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) },
    schema,
    request,
  });
  return data;
}

/** Ends the session of a token, also while the page is being closed. A failure is ignored. */
export async function endSession(token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  await fetch(serverAddress() + signOut.path, { method: "POST", headers, keepalive: true }).catch(() => {});
}

/** What a list is asked for: its filters, its order and the page. */
export type ListRequest<L extends AnyList> = {
  readonly [Name in keyof L["filters"] | "page" | "size"]?: string;
} & { readonly sort?: `${SortOf<L>},${"asc" | "desc"}` };

export const api = {
  /** One page of a list of the contract. */
  list: <L extends AnyList>(
    list: L,
    query: ListRequest<L> | URLSearchParams,
    signal?: AbortSignal,
  ): Promise<PageOf<ItemOf<L>>> => {
    const text = new URLSearchParams(query as Record<string, string>); // what is given is text
    return naturally(list, text.toString(), async (ordered) => {
      const { data } = await exchange({
        name: `GET ${list.path}`,
        address: apiAddress(`${list.path}?${ordered}`),
        init: signal ? { signal } : {},
        schema: pageOfList(list),
      });
      return data as PageOf<ItemOf<L>>; // read with the list's own schema
    });
  },
};
