import type { z } from "zod";
import { exceededLimit } from "../exceeded-limits.ts";
import { signInContinuation } from "../login.ts";
import { choosePassword } from "../operations/passwords.ts";
import { passSecondFactor } from "../operations/second-step.ts";
import { type SignInOperation, signIn, signInAddresses } from "../operations/sign-in.ts";
import { signInOperations } from "../operations.ts";
import { enrollmentDemand, secondFactorDemand } from "../second-factors.ts";
import { enveloped, type OpenApiOperation, type Schema, schemaOf } from "./openapi-schemas.ts";

const nothing: Schema = { type: "null" };
const brokenRules: Schema = { type: "array", items: { type: "string" } };

/** What `data` of a 401 asks for when the sign-in continues. */
const demands = new Map<SignInOperation, readonly z.ZodType[]>([
  [signIn, [signInContinuation, secondFactorDemand, enrollmentDemand]],
  [choosePassword, [signInContinuation, secondFactorDemand, enrollmentDemand]],
  [passSecondFactor, [signInContinuation]],
]);

function dataOfDemand(operation: SignInOperation): Schema {
  const asked = demands.get(operation);
  return asked ? { anyOf: [nothing, ...asked.map((demand) => schemaOf(demand, "output"))] } : nothing;
}

/** Only sign-in responses have no message. */
const bareSuccess = (data: Schema): OpenApiOperation["responses"][string] => ({
  description: "Done. `message` and `messageCode` are null only in responses to sign-ins.",
  content: {
    "application/json": {
      schema: {
        type: "object",
        required: ["status", "code", "message", "messageCode", "data"],
        properties: {
          status: { const: "SUCCESS" },
          code: { const: 200 },
          message: nothing,
          messageCode: nothing,
          data,
        },
        additionalProperties: false,
      },
    },
  },
});

function described(operation: SignInOperation, path: string): OpenApiOperation {
  const { operationId, summary, json, data, bare, refusals, validated, limited } = operation;
  const common = {
    operationId: path === operation.path ? operationId : `${operationId}BelowApi`,
    summary,
    tags: ["sign-in"],
  };
  const refused = { "401": enveloped(["ERROR"], refusals, dataOfDemand(operation)) };
  if (!json || !data) return { ...common, responses: { "204": { description: "Done." }, ...refused } };
  const sent = schemaOf(data, "output");
  return {
    ...common,
    security: [],
    requestBody: { required: true, content: { "application/json": { schema: schemaOf(json, "input") } } },
    responses: {
      "200": bare ? bareSuccess(sent) : enveloped(["SUCCESS"], ["success.request.processed"], sent),
      "400": enveloped(["ERROR"], ["bad.request"], nothing),
      ...refused,
      "413": enveloped(["ERROR"], ["payload.too.large"], nothing),
      ...(validated ? { "422": enveloped(["ERROR"], ["error.validation"], brokenRules) } : {}),
      "429": limited
        ? enveloped(["ERROR"], ["too.many.requests", "too.many.calls.from.address"], {
            anyOf: [nothing, schemaOf(exceededLimit, "output")],
          })
        : enveloped(["ERROR"], ["too.many.requests"], nothing),
    },
  };
}

/** The sign-in calls, which are outside of the API's prefix. */
export function signInPaths(): Record<string, { post: OpenApiOperation }> {
  const paths: Record<string, { post: OpenApiOperation }> = {};
  for (const operation of signInOperations)
    for (const path of signInAddresses(operation)) paths[path] = { post: described(operation, path) };
  return paths;
}
