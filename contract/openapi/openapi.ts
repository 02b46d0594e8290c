import type { z } from "zod";
import { pageOf } from "../envelope.ts";
import { longestParameter, longestPathPart, longestPointer } from "../limits.ts";
import {
  type AnyList,
  defaultPageSize,
  type Filters,
  largestPageSize,
  naturalSuffix,
  parameterSchemaOf,
} from "../list-contract.ts";
import { type MessageCode, messages } from "../messages.ts";
import { apiPrefix, commonRefusals, type Operation } from "../operation.ts";
import { operations } from "../operations.ts";
import { permissions } from "../permissions.ts";
import type { RoleName } from "../roles.ts";
import { mailPaths } from "./openapi-mail.ts";
import { dataOfRefusal, enveloped, type OpenApiOperation, type Schema, schemaOf, schemas } from "./openapi-schemas.ts";
import { signInPaths } from "./openapi-sign-in.ts";

/** An OpenAPI 3.1 document, reduced to what this module reads. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Schema };
}

/** The description of the whole API, derived from the contract (OpenAPI 3.1, whose schemas are JSON Schema 2020-12). */
export function openApiDocument(version: string, address: string): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  for (const operation of Object.values(operations)) {
    const path = describedPath(operation);
    paths[path] = { ...paths[path], [operation.method.toLowerCase()]: describe(operation) };
  }
  Object.assign(paths, signInPaths(), mailPaths());
  paths["/actuator/health"] = { get: health("health", "Whether the server can answer its clients") };
  paths["/actuator/health/liveness"] = { get: health("liveness", "Whether the process is alive", ["process"]) };
  paths["/actuator/health/readiness"] = {
    get: health("readiness", "Whether requests should be sent to this server", ["server", "db", "storage"]),
  };
  paths["/actuator/prometheus"] = { get: metrics };
  return {
    openapi: "3.1.0",
    info: {
      title: "Packhouse",
      version,
      description: "Package repositories for R and Python: upload, review, publish, install.",
      license: { name: "Apache-2.0", identifier: "Apache-2.0" },
    },
    servers: [{ url: address }],
    security: [{ session: [] }, { accessToken: [] }],
    tags: [...new Set(Object.values(operations).map(tagOf))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "The token of a sign-in, or an access token" },
        accessToken: { type: "http", scheme: "basic", description: "Username and access token" },
      },
    },
  };
}

/** The path of an operation in the document: `/api/v2/manager/users/{id}`. */
export const describedPath = ({ path }: Pick<Operation, "path">): string => apiPrefix + path.replace(/:(\w+)/g, "{$1}");

const tagOf = ({ path }: Operation): string => {
  const [, first = "", second = ""] = path.split("/");
  if (["config", "version", "check-server-address"].includes(first) || second === "config") return "server";
  return first === "r" || first === "python" ? `${first}/${second}` : first;
};

const forWhom: Record<RoleName, string> = {
  user: "For all signed-in users.",
  packagemaintainer: "For package maintainers and higher roles.",
  repositorymaintainer: "For repository maintainers and administrators.",
  admin: "For administrators.",
};

function describe(operation: Operation): OpenApiOperation {
  const { method, path, answer } = operation;
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: parameter === "id" ? { type: "integer", minimum: 0 } : { type: "string", maxLength: longestPathPart },
  }));
  const ofList = answer !== "nothing" && "list" in answer ? listParameters(answer.list) : [];
  const parameters = [...inPath, ...ofList, ...filterParameters(operation.query ?? {})];
  return {
    operationId: `${method.toLowerCase()}${path
      .split(/\W+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join("")}`,
    summary: operation.summary,
    description: forWhom[permissions[operation.permission].role],
    tags: [tagOf(operation)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation.body) } : {}),
    responses: responses(operation),
  };
}

const filterParameters = (filters: Filters): Schema[] =>
  Object.entries(filters).map(([name, filter]) => {
    const schema = parameterSchemaOf(filter);
    // One value may also hold several, separated by commas.
    return { name, in: "query", schema, ...(schema?.type === "array" ? { style: "form", explode: false } : {}) };
  });

const naturalSorts = ({ names = [] }: AnyList): string[] => names.map((name) => `${name}${naturalSuffix}`);

function listParameters(list: AnyList): Schema[] {
  return [
    ...filterParameters(list.filters),
    { name: "page", in: "query", schema: { type: "integer", minimum: 0, default: 0 } },
    {
      name: "size",
      in: "query",
      schema: { type: "integer", minimum: 1, maximum: largestPageSize, default: defaultPageSize },
    },
    {
      name: "sort",
      in: "query",
      description: `Fields, then \`asc\` or \`desc\`, such as \`${list.sorts[0]},desc\`; can be repeated. Fields: ${[...list.sorts, ...naturalSorts(list)].join(", ")}.`,
      schema: { type: "array", items: { type: "string", maxLength: longestParameter } },
      style: "form",
      explode: true,
    },
  ];
}

const patchOperation: Schema = {
  type: "object",
  required: ["op", "path"],
  properties: {
    op: { enum: ["add", "remove", "replace", "move", "copy", "test"] },
    path: { type: "string", maxLength: longestPointer },
    from: { type: "string", maxLength: longestPointer },
    value: {},
  },
};

function requestBody(body: NonNullable<Operation["body"]>): Schema {
  if (body === "json-patch")
    return {
      required: true,
      content: { "application/json-patch+json": { schema: { type: "array", items: patchOperation } } },
    };
  if ("json" in body)
    return { required: true, content: { "application/json": { schema: schemaOf(body.json, "input") } } };
  const fields = Object.entries<z.ZodType>(body.form.shape).map(([name, field]) => [
    name,
    parameterSchemaOf(field) ?? schemaOf(field, "input"),
  ]);
  return {
    required: true,
    content: {
      "multipart/form-data": {
        schema: {
          type: "object",
          required: ["file", "repository"],
          properties: { file: { type: "string", format: "binary" }, ...Object.fromEntries(fields) },
        },
      },
    },
  };
}

function responses(operation: Operation): OpenApiOperation["responses"] {
  const { answer } = operation;
  const described: OpenApiOperation["responses"] = {};
  const codes = [...commonRefusals, ...operation.codes];
  const data = dataOf(answer);
  if (answer === "nothing") described["204"] = { description: "Done." };
  else if ("file" in answer)
    described["200"] = {
      description: "The file.",
      content: Object.fromEntries(answer.file.map((type) => [type, { schema: { type: "string", format: "binary" } }])),
    };
  else {
    const code = operation.created ? "success.resource.created" : "success.request.processed";
    const remarks = codes.filter((other) => isRemark(other) && messages[other].status === messages[code].status);
    described[messages[code].status] = enveloped(
      remarks.length > 0 ? ["SUCCESS", "WARNING"] : ["SUCCESS"],
      [code, ...remarks],
      data,
    );
  }
  const byStatus = Map.groupBy([...new Set(codes)], (code) => messages[code].status);
  for (const [status, some] of byStatus) {
    if (described[status]) continue;
    const outcome = status < 400 ? "WARNING" : "ERROR";
    described[status] = enveloped([outcome], some, status < 400 ? data : dataOfRefusal(status));
  }
  return described;
}

const isRemark = (code: MessageCode): boolean => messages[code].status < 400;

function dataOf(answer: Operation["answer"]): Schema {
  if (answer === "nothing" || "file" in answer) return { type: "null" };
  if ("data" in answer) return schemaOf(answer.data, "output");
  return schemaOf(pageOf(answer.list.item), "output");
}

const health = (operationId: string, summary: string, components?: readonly string[]): OpenApiOperation => ({
  operationId,
  summary,
  tags: ["server"],
  security: [],
  responses: Object.fromEntries(
    [
      ["200", "UP"],
      ["503", "DOWN"],
    ].map(([status = "", word]) => [
      status,
      { description: `\`${word}\``, content: { "application/json": { schema: healthSchema(word, components) } } },
    ]),
  ),
});

function healthSchema(word: string | undefined, components: readonly string[] | undefined): Schema {
  const status = { const: word };
  if (!components) return { type: "object", required: ["status"], properties: { status } };
  const part = { type: "object", required: ["status"], properties: { status: { enum: ["UP", "DOWN"] } } };
  const parts = {
    type: "object",
    required: components,
    properties: Object.fromEntries(components.map((it) => [it, part])),
  };
  return { type: "object", required: ["status", "components"], properties: { status, components: parts } };
}

const metrics: OpenApiOperation = {
  operationId: "metrics",
  summary: "What the server counts, for Prometheus",
  description: forWhom.admin,
  tags: ["server"],
  responses: {
    "200": {
      description: "Metrics in the text format.",
      content: { "text/plain": { schema: { type: "string" } } },
    },
    "401": enveloped(["ERROR"], ["error.user.not.authenticated"], { type: "null" }),
    "403": enveloped(["ERROR"], ["user.not.authorized"], { type: "null" }),
  },
};
