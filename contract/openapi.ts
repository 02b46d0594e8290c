import { z } from "zod";
import { accessTokenItem } from "./access-tokens.ts";
import { publicConfiguration, rConfiguration } from "./configuration.ts";
import { crashReport, page, pageOf } from "./envelope.ts";
import { eventItem } from "./events.ts";
import { exceededLimit } from "./exceeded-limits.ts";
import { longestParameter, longestPathPart, longestPointer } from "./limits.ts";
import { link } from "./links.ts";
import { type AnyList, defaultPageSize, type Filters, largestPageSize } from "./list-contract.ts";
import { credentials, session, signInContinuation } from "./login.ts";
import { type MessageCode, messages } from "./messages.ts";
import { mirror } from "./mirrors.ts";
import { commonRefusals, type Operation, operations } from "./operations.ts";
import { packageMaintainerItem } from "./package-maintainers.ts";
import { packageItem, pythonPackageItem, rPackageItem, vignette } from "./packages.ts";
import { passwordByToken } from "./passwords.ts";
import { permissions } from "./permissions.ts";
import { repositoryRef, submissionRef, userRef } from "./references.ts";
import { pythonRepositoryItem, repositoryItem, rRepositoryItem, synchronizationStatus } from "./repositories.ts";
import { repositoryMaintainerItem } from "./repository-maintainers.ts";
import { type RoleName, roleItem } from "./roles.ts";
import { apiPrefix, type RouteName, routes } from "./routes.ts";
import {
  enrolledSession,
  enrollmentAtSignIn,
  enrollmentConfirmation,
  enrollmentDemand,
  secondFactorDemand,
  secondFactorItem,
  secondStep,
  startedEnrollment,
} from "./second-factors.ts";
import { submissionItem } from "./submissions.ts";
import { userSettingsItem } from "./user-settings.ts";
import { userItem } from "./users.ts";

type Schema = Record<string, unknown>;

/** An OpenAPI 3.1 document, as far as this module looks into it. */
export interface OpenApiDocument {
  openapi: "3.1.0";
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } };
  servers: { url: string }[];
  security: Record<string, string[]>[];
  tags: { name: string }[];
  paths: Record<string, Record<string, OpenApiOperation>>;
  components: { schemas: Record<string, Schema>; securitySchemes: Schema };
}

export interface OpenApiOperation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Schema[];
  requestBody?: Schema;
  security?: [];
  responses: Record<string, { description: string; content?: Record<string, { schema: Schema }> }>;
}

/** The description of the whole API, derived from the contract (OpenAPI 3.1, whose schemas are JSON Schema 2020-12). */
export function openApiDocument(version: string, address: string): OpenApiDocument {
  const paths: OpenApiDocument["paths"] = {};
  for (const [name, operation] of Object.entries(operations)) {
    const [method = "", path = ""] = name.split(" ");
    const template = apiPrefix + path.replace(/:(\w+)/g, "{$1}");
    paths[template] = { ...paths[template], [method.toLowerCase()]: describe(name as RouteName, operation) }; // keys of the table
  }
  for (const prefix of ["", "/api"])
    for (const step of signInSteps) paths[`${prefix}/login${step.path}`] = { post: signInStep(step, prefix) };
  for (const path of ["/login/password", "/api/login/password"]) paths[path] = { post: loginByNewPassword(path) };
  for (const path of ["/logout", "/api/logout"]) paths[path] = { post: logout(path) };
  paths["/actuator/health"] = { get: health("health", "Whether the server can answer its clients") };
  paths["/actuator/health/liveness"] = { get: health("liveness", "Whether the process works", ["process"]) };
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
    tags: [...new Set(Object.keys(operations).map((name) => tagOf(name)))].map((name) => ({ name })),
    paths,
    components: {
      schemas,
      securitySchemes: {
        session: { type: "http", scheme: "bearer", description: "The token of a sign-in, or an access token" },
        accessToken: { type: "http", scheme: "basic", description: "Login and access token" },
      },
    },
  };
}

const tagOf = (route: string): string => {
  const [first = "", second = ""] = route.slice(route.indexOf("/") + 1).split("/");
  if (["config", "version", "check-server-address"].includes(first) || second === "config") return "server";
  return first === "r" || first === "python" ? `${first}/${second}` : first;
};

const forWhom: Record<RoleName, string> = {
  user: "For everybody who is signed in.",
  packagemaintainer: "For package maintainers and those above them.",
  repositorymaintainer: "For repository maintainers and administrators.",
  admin: "For administrators.",
};

function describe(name: RouteName, operation: Operation): OpenApiOperation {
  const [method = "", path = ""] = name.split(" ");
  const inPath = [...path.matchAll(/:(\w+)/g)].map(([, parameter = ""]) => ({
    name: parameter,
    in: "path",
    required: true,
    schema: parameter === "id" ? { type: "integer", minimum: 0 } : { type: "string", maxLength: longestPathPart },
  }));
  const { answer } = operation;
  const ofList = answer !== "nothing" && "list" in answer ? listParameters(answer.list) : [];
  const parameters = [...inPath, ...ofList, ...filterParameters(operation.query ?? {})];
  return {
    operationId: `${method.toLowerCase()}${path
      .split(/\W+/)
      .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
      .join("")}`,
    summary: operation.summary,
    description: forWhom[permissions[routes[name]].role],
    tags: [tagOf(name)],
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(operation.body ? { requestBody: requestBody(operation.body) } : {}),
    responses: responses(operation),
  };
}

const filterParameters = (filters: Filters): Schema[] =>
  Object.entries<z.ZodType>(filters).map(([name, filter]) => {
    const schema = filter.meta()?.parameter as Schema; // given by `described`
    // Several values may also stand in one, with commas.
    return { name, in: "query", schema, ...(schema.type === "array" ? { style: "form", explode: false } : {}) };
  });

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
      description: `Fields, then \`asc\` or \`desc\`, such as \`${list.sorts[0]},desc\`; may repeat. Fields: ${list.sorts.join(", ")}.`,
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
    field.meta()?.parameter ?? schemaOf(field, "input"),
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
  const codes = [...commonRefusals, ...(operation.codes ?? [])];
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

function dataOfRefusal(status: number): Schema {
  const texts = { type: "array", items: { type: "string" } };
  if (status === 422) return { anyOf: [texts, { type: "string" }, { type: "null" }] };
  if (status === 400) return { anyOf: [texts, { type: "null" }] };
  // Failed attempts at a password name no limit.
  if (status === 429) return { anyOf: [schemaOf(exceededLimit, "output"), { type: "null" }] };
  if (status >= 500) return schemaOf(crashReport, "output");
  return { type: "null" };
}

function enveloped(status: string[], codes: MessageCode[], data: Schema): OpenApiOperation["responses"][string] {
  const properties = {
    status: { enum: status },
    code: { type: "integer" },
    message: { type: "string" },
    messageCode: { enum: codes },
    data,
  };
  return {
    description: codes.map((code) => `\`${code}\`: ${messages[code].text}`).join("\n\n"),
    content: {
      "application/json": {
        schema: { type: "object", required: Object.keys(properties), properties, additionalProperties: false },
      },
    },
  };
}

/** Shapes that stand once in the document, under these names. */
const named = z.registry<{ id: string }>();
const components = {
  AccessToken: accessTokenItem,
  Configuration: publicConfiguration,
  CrashReport: crashReport,
  Event: eventItem,
  Link: link,
  Mirror: mirror,
  Package: packageItem,
  PackageMaintainer: packageMaintainerItem,
  Page: page,
  PythonPackage: pythonPackageItem,
  PythonRepository: pythonRepositoryItem,
  RConfiguration: rConfiguration,
  RPackage: rPackageItem,
  Repository: repositoryItem,
  RepositoryMaintainer: repositoryMaintainerItem,
  RepositoryRef: repositoryRef,
  Role: roleItem,
  RRepository: rRepositoryItem,
  SecondFactor: secondFactorItem,
  Submission: submissionItem,
  SubmissionRef: submissionRef,
  SynchronizationStatus: synchronizationStatus,
  User: userItem,
  UserRef: userRef,
  UserSettings: userSettingsItem,
  Vignette: vignette,
};
for (const [id, shape] of Object.entries(components)) named.add(shape, { id });

/** Schemas of the named shapes, as far as some call uses them. */
const schemas: Record<string, Schema> = {};

/** JSON Schema of one of the contract's shapes; what JSON Schema cannot say is left open. */
function schemaOf(shape: z.ZodType, io: "input" | "output"): Schema {
  const generated = z.toJSONSchema(shape, {
    io,
    metadata: named,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Every number of the wire is safe in JavaScript; to say so of each adds nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema, $defs, ...schema } = JSON.parse(text) as Schema & { $defs?: Record<string, Schema> }; // as just written
  Object.assign(schemas, $defs);
  return schema;
}

/** One call of a sign-in: nobody is signed in yet, and `message` and `messageCode` are null when it succeeds. */
interface SignInStep {
  path: string;
  operationId: string;
  summary: string;
  takes: z.ZodType;
  gives: z.ZodType;
  /** Codes of a 401, and what `data` may be then. */
  refusals: readonly MessageCode[];
  refusalData: Schema;
  /** Whether what is given may break rules. */
  judged?: true;
}

const secondStepRefusals = [
  "error.user.not.authenticated",
  "second.factor.refused",
  "second.factor.expired",
] as const satisfies readonly MessageCode[];

/** What is asked for where the password is right and not enough. */
const demands = [
  "error.user.not.authenticated",
  "password.change.required",
  "second.factor.required",
  "second.factor.enrollment.required",
] as const satisfies readonly MessageCode[];
const demandData: Schema = {
  anyOf: [
    { type: "null" },
    schemaOf(signInContinuation, "output"),
    schemaOf(secondFactorDemand, "output"),
    schemaOf(enrollmentDemand, "output"),
  ],
};

const signInSteps: readonly SignInStep[] = [
  {
    path: "",
    operationId: "login",
    summary: "Sign in by name and password",
    takes: credentials,
    gives: session,
    refusals: demands,
    refusalData: demandData,
  },
  {
    path: "/second-factor",
    operationId: "loginSecondFactor",
    summary: "Finish a sign-in by a code, a passkey or a recovery code",
    takes: secondStep,
    gives: session,
    refusals: [...secondStepRefusals, "password.change.required"],
    refusalData: { anyOf: [{ type: "null" }, schemaOf(signInContinuation, "output")] },
  },
  {
    path: "/second-factor/enrollment",
    operationId: "loginEnrollment",
    summary: "Start to add the second factor that the role requires, during a sign-in",
    takes: enrollmentAtSignIn,
    gives: startedEnrollment,
    refusals: secondStepRefusals,
    refusalData: { type: "null" },
    judged: true,
  },
  {
    path: "/second-factor/enrollment/confirmation",
    operationId: "loginEnrollmentConfirmation",
    summary: "Add the second factor by its first use, and finish the sign-in; recovery codes are in this answer only",
    takes: enrollmentConfirmation,
    gives: enrolledSession,
    refusals: secondStepRefusals,
    refusalData: { type: "null" },
    judged: true,
  },
];

const signInStep = (step: SignInStep, prefix: string): OpenApiOperation => ({
  operationId: prefix === "" ? step.operationId : `${step.operationId}BelowApi`,
  summary: step.summary,
  tags: ["sign-in"],
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: schemaOf(step.takes, "input") } } },
  responses: {
    "200": {
      description: "Done. `message` and `messageCode` are null in answers of the sign-in only.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            required: ["status", "code", "message", "messageCode", "data"],
            properties: {
              status: { const: "SUCCESS" },
              code: { const: 200 },
              message: { type: "null" },
              messageCode: { type: "null" },
              data: schemaOf(step.gives, "output"),
            },
            additionalProperties: false,
          },
        },
      },
    },
    "400": enveloped(["ERROR"], ["bad.request"], { type: "null" }),
    "401": enveloped(["ERROR"], [...step.refusals], step.refusalData),
    "413": enveloped(["ERROR"], ["payload.too.large"], { type: "null" }),
    ...(step.judged ? { "422": enveloped(["ERROR"], ["error.validation"], dataOfRefusal(422)) } : {}),
    "429": enveloped(["ERROR"], ["too.many.requests", "too.many.calls.from.address"], {
      anyOf: [{ type: "null" }, schemaOf(exceededLimit, "output")],
    }),
  },
});

const loginByNewPassword = (path: string): OpenApiOperation => ({
  operationId: path.startsWith("/api/") ? "choosePasswordBelowApi" : "choosePassword",
  summary: "Set a password by a one-time link or the continuation of a sign-in, and sign in with it",
  tags: ["sign-in"],
  security: [],
  requestBody: { required: true, content: { "application/json": { schema: schemaOf(passwordByToken, "input") } } },
  responses: {
    "200": enveloped(["SUCCESS"], ["success.request.processed"], schemaOf(session, "output")),
    "400": enveloped(["ERROR"], ["bad.request"], { type: "null" }),
    "401": enveloped(["ERROR"], [...demands], demandData),
    "422": enveloped(["ERROR"], ["error.validation"], { type: "array", items: { type: "string" } }),
  },
});

const logout = (path: string): OpenApiOperation => ({
  operationId: path.startsWith("/api/") ? "logoutBelowApi" : "logout",
  summary: "Sign out: end the session of this request",
  tags: ["sign-in"],
  responses: {
    "204": { description: "Done." },
    "401": enveloped(["ERROR"], ["error.user.not.authenticated"], { type: "null" }),
  },
});

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
