import { Readable } from "node:stream";
import { readGiven } from "@packhouse/contract/given-values";
import { type MessageCode, messages } from "@packhouse/contract/messages";
import {
  apiPrefix,
  type Operation,
  type ParametersOf,
  type QueryOf,
  type SentBy,
  type WarningCode,
} from "@packhouse/contract/operation";
import { mayTry } from "@packhouse/contract/permissions";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { z } from "zod";
import { Refusal } from "../platform/errors/refusal.ts";
import type { Settings } from "../platform/settings/settings.ts";
import { publicAddress } from "./addresses.ts";
import { envelopeOf } from "./answer.ts";
import type { Viewer } from "./application.ts";
import { fitList } from "./fit-list.ts";
import { acceptedTypes } from "./headers/accept.ts";
import { readFilters } from "./list-query.ts";
import { type PatchOperation, readPatch } from "./patch/json-patch.ts";

/** One authorized request, with path parameters, query and body as the operation declares them. */
export type Call<O extends Operation = Operation> = Viewer & {
  request: FastifyRequest;
  reply: FastifyReply;
} & ParametersOf<O> &
  Given<O>;

type Given<O> = (O extends { query: object } ? { query: QueryOf<O> } : unknown) &
  (O extends { body: { json: infer Json extends z.ZodType } }
    ? { body: z.output<Json> }
    : O extends { body: "json-patch" }
      ? { body: PatchOperation[] }
      : unknown);

/** What the handler of an operation returns: the data of the answer, or a reply with a file. */
type Result<O> = O extends { answer: { data: unknown } }
  ? SentBy<O> | Warning<SentBy<O>> | Fitted<SentBy<O>>
  : FastifyReply;

export type Handler<O extends Operation> = (
  call: Call<O>,
) => O["answer"] extends "nothing" ? Promise<void> : Promise<Result<O>>;

/** A success with a remark. */
export class Warning<Data> {
  readonly code: WarningCode;
  readonly data: Data;

  constructor(code: WarningCode, data: Data) {
    this.code = code;
    this.data = data;
  }
}

/** Data that may be large: cut to the size limit of an answer. */
export class Fitted<Data> {
  readonly data: Data;
  /** Characters that the texts in it are cut to, where the database has cut them. */
  readonly textLimit: number | undefined;

  constructor(data: Data, textLimit?: number) {
    this.data = data;
    this.textLimit = textLimit;
  }
}

/** Registers the route of an operation. The order of checks: types, parameters, body, role, query, patch. */
export function serveOperation<O extends Operation>(
  { app, settings }: { app: FastifyInstance; settings: Settings },
  operation: O,
  handler: (call: Call<O>) => Promise<unknown>,
): void {
  const { method, path, permission } = operation;
  app.route({
    method: method === "GET" ? ["GET", "HEAD"] : method,
    url: apiPrefix + path,
    ...(isUpload(operation) ? { bodyLimit: settings["upload.maxBytes"] } : {}),
    onRequest: async (request) => checkTypes(request, operation),
    onSend: async (request, reply, payload) => (request.method === "HEAD" ? withoutBody(reply, payload) : payload),
    handler: async (request, reply) => {
      const { actor } = request;
      if (!actor) throw new Refusal("error.user.not.authenticated");
      const parameters = readParameters(request.params);
      const body = readBody(operation, request.body);
      if (!mayTry(permission, actor)) throw new Refusal("user.not.authorized");
      const call = {
        ...parameters,
        actor,
        api: publicAddress(settings, request) + apiPrefix,
        query: operation.query && readFilters(operation.query, queryOf(request)),
        body: operation.body === "json-patch" ? readPatch(body) : body,
        request,
        reply,
      };
      return sendResult(operation, await handler(call as unknown as Call<O>), reply); // read as the operation declares it
    },
  });
}

/** `HEAD` has the headers of `GET`. A file is not read for it; its length is that which its handler has set. */
function withoutBody(reply: FastifyReply, payload: unknown): null {
  if (payload instanceof Readable) payload.destroy();
  else if (typeof payload === "string" || Buffer.isBuffer(payload))
    reply.header("content-length", Buffer.byteLength(payload));
  return null;
}

export const queryOf = (request: FastifyRequest): URLSearchParams => new URL(request.url, "http://query").searchParams;

function sendResult({ answer, created }: Operation, result: unknown, reply: FastifyReply): FastifyReply {
  if (answer === "nothing") return reply.code(204).send();
  // The handler has already sent the answer.
  if ("file" in answer) return reply;
  const code = created ? "success.resource.created" : "success.request.processed";
  if (result instanceof Fitted) return sendFitted(reply, code, result);
  if (result instanceof Warning)
    return reply.code(messages[result.code].status).send(envelopeOf("WARNING", result.code, result.data));
  return reply.code(messages[code].status).send(envelopeOf("SUCCESS", code, result));
}

function sendFitted(reply: FastifyReply, code: MessageCode, { data, textLimit }: Fitted<object>): FastifyReply {
  const json = fitList(data, (fitting) => envelopeOf("SUCCESS", code, fitting), { textLimit });
  return reply.code(messages[code].status).type("application/json; charset=utf-8").send(json);
}

const isUpload = ({ body }: Operation): boolean => typeof body === "object" && "form" in body;

/** A body of the wrong shape is refused before the role is checked, as API clients expect. */
function readBody({ body }: Operation, given: unknown): unknown {
  if (body === "json-patch" && !Array.isArray(given)) throw new Refusal("bad.request");
  if (typeof body !== "object" || !("json" in body)) return given;
  const read = readGiven(body.json, given);
  if (!read.success) throw new Refusal("bad.request");
  return read.data;
}

/** `application/hal+json` is what clients of other servers with this API ask for; it is answered as `application/json`. */
const jsonTypes = new Set(["application/json", "application/hal+json", "application/*", "*/*"]);

/** Content type and acceptable answer are checked before anything is read. */
function checkTypes({ headers }: FastifyRequest, operation: Operation): void {
  const given = headers["content-type"]?.split(";")[0]?.trim().toLowerCase();
  const length = headers["content-length"];
  const empty = length === "0" || (length === undefined && headers["transfer-encoding"] === undefined);
  const wanted = contentTypeOf(operation);
  if (wanted && given !== wanted && !(operation.body === undefined && empty))
    throw new Refusal("unsupported.media.type");
  const isFile = typeof operation.answer === "object" && "file" in operation.answer;
  if (!isFile && !acceptedTypes(headers.accept).some((type) => jsonTypes.has(type)))
    throw new Refusal("not.acceptable");
}

function contentTypeOf(operation: Operation): string | undefined {
  if (isUpload(operation)) return "multipart/form-data";
  if (operation.body === "json-patch") return "application/json-patch+json";
  return operation.method === "POST" ? "application/json" : undefined;
}

function readParameters(given: unknown): Record<string, string | number> {
  const parameters = (given ?? {}) as Record<string, string>; // the router gives texts by name
  return parameters.id === undefined ? parameters : { ...parameters, id: readId(parameters.id) };
}

/**
 * Ids are positive and fit the database's integers; larger ones match no record, and a non-number is an unknown
 * address.
 */
function readId(text: string): number {
  if (!/^\d{1,15}$/.test(text)) throw new Refusal("bad.request");
  return Math.min(Number(text), 2_147_483_647);
}
