import type { z } from "zod";
import { exceededLimit } from "./exceeded-limits.ts";
import { credentials, session, signInContinuation } from "./login.ts";
import type { MessageCode } from "./messages.ts";
import { dataOfRefusal, enveloped, type OpenApiOperation, type Schema, schemaOf } from "./openapi-schemas.ts";
import { passwordByToken } from "./passwords.ts";
import {
  enrolledSession,
  enrollmentAtSignIn,
  enrollmentConfirmation,
  enrollmentDemand,
  secondFactorDemand,
  secondStep,
  startedEnrollment,
} from "./second-factors.ts";

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
    "401": enveloped(["ERROR"], step.refusals, step.refusalData),
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
    "401": enveloped(["ERROR"], demands, demandData),
    "413": enveloped(["ERROR"], ["payload.too.large"], { type: "null" }),
    "422": enveloped(["ERROR"], ["error.validation"], { type: "array", items: { type: "string" } }),
    "429": enveloped(["ERROR"], ["too.many.requests"], { type: "null" }),
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

/** The calls of a sign-in, which `operations` does not have: they are not below the prefix of the API. */
export function signInPaths(): Record<string, { post: OpenApiOperation }> {
  const paths: Record<string, { post: OpenApiOperation }> = {};
  for (const prefix of ["", "/api"])
    for (const step of signInSteps) paths[`${prefix}/login${step.path}`] = { post: signInStep(step, prefix) };
  for (const path of ["/login/password", "/api/login/password"]) paths[path] = { post: loginByNewPassword(path) };
  for (const path of ["/logout", "/api/logout"]) paths[path] = { post: logout(path) };
  return paths;
}
