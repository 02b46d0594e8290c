import type { z } from "zod";
import type { Received, Sent } from "./answer.ts";
import type { PageOf } from "./envelope.ts";
import type { AnyList, Filters, FilterValues, ItemOf } from "./list-contract.ts";
import type { MessageCode, messages } from "./messages.ts";
import type { PermissionName } from "./permissions.ts";

export const apiPrefix = "/api/v2/manager";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/**
 * The response to a successful call: `data` of the envelope, a page of a list, bytes of these media types, or
 * nothing (204).
 */
export type Answer = { data: z.ZodType } | { list: AnyList } | { file: readonly string[] } | "nothing";

/** A JSON body, a JSON Patch (RFC 6902), or a multipart form with a file and these fields. */
export type Body = { json: z.ZodType } | "json-patch" | { form: z.ZodObject };

/**
 * One call of the API. The server's route, the console's call, the API description and the authorization matrix are
 * derived from it. Only the fields that a call needs are present, so that types can distinguish calls.
 */
export interface Operation {
  method: Method;
  /** Below `apiPrefix`. `:id` is a number, other parameters are text. */
  path: string;
  /** The row of the permission table whose role is checked before any record is read. */
  permission: PermissionName;
  summary: string;
  answer: Answer;
  /** Refusals and warnings beyond `commonRefusals`. */
  codes: readonly MessageCode[];
  /** Responds with 201. */
  created?: true;
  body?: Body;
  /** Query parameters of a call that is not a list; lists define their own. */
  query?: Filters;
}

/** The refusals that any operation can respond with. */
export const commonRefusals = [
  "bad.request",
  "error.user.not.authenticated",
  "user.not.authorized",
  "method.not.allowed",
  "not.acceptable",
  "too.many.calls",
  "too.many.calls.from.address",
  "internal.error",
  "service.unavailable",
] as const satisfies readonly MessageCode[];

/** The name of an operation in logs and tests, such as `GET /packages/:id`. */
export type NameOf<O extends Pick<Operation, "method" | "path">> = O extends unknown
  ? `${O["method"]} ${O["path"]}`
  : never;
export const nameOf = <O extends Pick<Operation, "method" | "path">>({ method, path }: O): NameOf<O> =>
  `${method} ${path}` as NameOf<O>; // the same text as a type

type ParameterName<Path extends string> = Path extends `${string}:${infer Rest}`
  ? Rest extends `${infer Name}/${infer More}`
    ? Name | ParameterName<`/${More}`>
    : Rest
  : never;

/** The variable parts of an operation's path. */
export type ParametersOf<O extends Pick<Operation, "path">> = {
  [Name in ParameterName<O["path"]>]: Name extends "id" ? number : string;
};

/** The path of a call with its variable parts filled in, below `apiPrefix`. */
export const pathOf = <O extends Pick<Operation, "path">>(
  { path }: O,
  parameters: Readonly<Record<string, unknown>> & ParametersOf<O>,
): string =>
  path
    .split("/")
    .map((part) => (part.startsWith(":") ? encodeURIComponent(String(parameters[part.slice(1)])) : part))
    .join("/");

/** The query of an operation that is not a list, as the server reads it. */
export type QueryOf<O> = O extends { query: infer F extends Filters } ? FilterValues<{ filters: F }> : never;

/** `data` of the response as this server sends it. */
export type SentBy<O> = O extends { answer: { data: infer Data extends z.ZodType } } ? Sent<Data> : never;

/** `data` of the response as a client receives it. */
export type ReceivedFrom<O> = O extends { answer: { data: infer Data } }
  ? Received<Data>
  : O extends { answer: { list: infer L extends AnyList } }
    ? PageOf<ItemOf<L>>
    : O extends { answer: "nothing" }
      ? null
      : never;

/** Codes of a success with a warning. */
export type WarningCode = {
  [Code in MessageCode]: (typeof messages)[Code]["status"] extends 200 | 201 ? Code : never;
}[MessageCode];

/** What every declaration has in common. */
interface Declared {
  permission: PermissionName;
  summary: string;
  codes?: readonly MessageCode[];
}

// The functions below declare operations. Unused declarations are dropped from the console's build, because they have
// no side effects.

/** One page of a list. */
/* @__NO_SIDE_EFFECTS__ */
export function list<const L extends AnyList>(of: L, declared: Declared) {
  return {
    ...declared,
    method: "GET",
    path: of.path as L["path"],
    answer: { list: of },
    codes: ["unrecognized.query.parameter"],
  } as const satisfies Operation;
}

/* @__NO_SIDE_EFFECTS__ */
export function read<const Path extends string, Data extends z.ZodType>(
  path: Path,
  { data, codes = [], ...declared }: Declared & { data: Data },
) {
  return { ...declared, method: "GET", path, answer: { data }, codes } as const satisfies Operation;
}

/** Bytes of one of these media types. */
/* @__NO_SIDE_EFFECTS__ */
export function download<const Path extends string>(
  path: Path,
  { file, codes = [], ...declared }: Declared & { file: readonly string[] },
) {
  return { ...declared, method: "GET", path, answer: { file }, codes } as const satisfies Operation;
}

/** Changes a record by a JSON Patch. */
/* @__NO_SIDE_EFFECTS__ */
export function edit<const Path extends string, Data extends z.ZodType>(
  path: Path,
  { data, codes = [], ...declared }: Declared & { data: Data },
) {
  return {
    ...declared,
    method: "PATCH",
    path,
    answer: { data },
    body: "json-patch",
    codes: ["unsupported.media.type", "error.malformed.patch", "error.validation", "error.apply.patch", ...codes],
  } as const satisfies Operation;
}

/* @__NO_SIDE_EFFECTS__ */
export function create<const Path extends string, Data extends z.ZodType, Json extends z.ZodType>(
  path: Path,
  { data, json, codes = [], ...declared }: Declared & { data: Data; json: Json },
) {
  return {
    ...declared,
    method: "POST",
    path,
    answer: { data },
    created: true,
    body: { json },
    codes: ["unsupported.media.type", "error.validation", "error.create.resource", ...codes],
  } as const satisfies Operation;
}

/** An action with its JSON body as input, or without a body. */
/* @__NO_SIDE_EFFECTS__ */
export function post<
  const Path extends string,
  const Rest extends Pick<Operation, "answer"> & Pick<Partial<Operation>, "body" | "created">,
>(path: Path, { codes = [], ...declared }: Declared & Rest) {
  return { ...declared, method: "POST", path, codes } as const;
}

/* @__NO_SIDE_EFFECTS__ */
export function purge<const Path extends string>(path: Path, { codes = [], ...declared }: Declared) {
  return {
    ...declared,
    method: "DELETE",
    path,
    answer: "nothing",
    codes: ["error.delete.resource", ...codes],
  } as const satisfies Operation;
}
