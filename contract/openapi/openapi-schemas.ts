import { z } from "zod";
import { accessTokenItem } from "../access-tokens.ts";
import { publicConfiguration, rConfiguration } from "../configuration.ts";
import { crashReport, page } from "../envelope.ts";
import { eventItem } from "../events.ts";
import { exceededLimit } from "../exceeded-limits.ts";
import { link } from "../links.ts";
import { packageMaintainerItem, repositoryMaintainerItem } from "../maintainers.ts";
import { type MessageCode, messages } from "../messages.ts";
import { mirror } from "../mirrors.ts";
import { packageItem, pythonPackageItem, rPackageItem, vignette } from "../packages.ts";
import { repositoryRef, submissionRef, userRef } from "../references.ts";
import { pythonRepositoryItem, repositoryItem, rRepositoryItem, synchronizationStatus } from "../repositories.ts";
import { roleItem } from "../roles.ts";
import { secondFactorItem } from "../second-factors.ts";
import { submissionItem } from "../submissions.ts";
import { userSettingsItem } from "../user-settings.ts";
import { userItem } from "../users.ts";

export type Schema = Record<string, unknown>;

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

/** Schemas that appear once in the document, under these names. */
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

/** Schemas of the named shapes that some call uses. */
export const schemas: Record<string, Schema> = {};

/** JSON Schema of one of the contract's shapes; what JSON Schema cannot express is left open. */
export function schemaOf(shape: z.ZodType, io: "input" | "output"): Schema {
  const generated = z.toJSONSchema(shape, {
    io,
    metadata: named,
    unrepresentable: "any",
    override: ({ jsonSchema }) => {
      // Every number on the wire is a safe integer in JavaScript; repeating that adds nothing.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
    },
  });
  const text = JSON.stringify(generated).replaceAll('"#/$defs/', '"#/components/schemas/');
  const { $schema, $defs, ...schema } = JSON.parse(text) as Schema & { $defs?: Record<string, Schema> }; // as just written
  Object.assign(schemas, $defs);
  return schema;
}

/** What `data` of an error response may be. */
export function dataOfRefusal(status: number): Schema {
  const texts = { type: "array", items: { type: "string" } };
  if (status === 422) return { anyOf: [texts, { type: "string" }, { type: "null" }] };
  if (status === 400) return { anyOf: [texts, { type: "null" }] };
  // Failed password attempts name no limit.
  if (status === 429) return { anyOf: [schemaOf(exceededLimit, "output"), { type: "null" }] };
  if (status >= 500) return schemaOf(crashReport, "output");
  return { type: "null" };
}

/** An enveloped response with one of these statuses and codes. */
export function enveloped(
  status: readonly string[],
  codes: readonly MessageCode[],
  data: Schema,
): OpenApiOperation["responses"][string] {
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
