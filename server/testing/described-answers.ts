import { openApiDocument } from "@packhouse/contract/openapi/openapi";
import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";

/**
 * Validates answers against the API description. Every answer that a test gets goes through here, so an undocumented
 * shape, status or code fails the first test that meets it.
 */
const description = openApiDocument("test", "http://localhost");
const ajv = addFormats.default(new Ajv2020({ strict: false, allErrors: true }));
ajv.addSchema(description, "api");

const addresses = Object.keys(description.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, "[^/]+")}$`),
  // Of `/users/me` and `/users/{id}` the first is the one that serves `/users/me`.
  parameters: template.split("{").length,
}));
addresses.sort((a, b) => a.parameters - b.parameters);

/** Every call that has been answered in this process, such as `GET /api/v2/manager/users/{id} 200`. */
export const seenAnswers = new Set<string>();

/** Throws if the answer does not match the description of the call. Ignores addresses outside of the API. */
export function checkAnswer(method: string, address: string, status: number, body: unknown): void {
  const path = new URL(address).pathname.replace(/(.)\/$/, "$1");
  const template = addresses.find(({ pattern }) => pattern.test(path))?.template;
  const operation = template && description.paths[template]?.[method.toLowerCase()];
  if (!template || !operation) return;
  const name = `${method} ${template} ${status}`;
  seenAnswers.add(name);
  const response = operation.responses[status];
  if (!response) throw new Error(`${name} is not described`);
  if (!response.content?.["application/json"]) return;
  const pointer = [
    "paths",
    template,
    method.toLowerCase(),
    "responses",
    String(status),
    "content",
    "application/json",
    "schema",
  ];
  const fragment = pointer
    .map((part) => encodeURIComponent(part.replaceAll("~", "~0").replaceAll("/", "~1")))
    .join("/");
  const validate = ajv.getSchema(`api#/${fragment}`);
  if (!validate) throw new Error(`${name} has no schema`);
  if (!validate(body))
    throw new Error(
      `${name} is not as described: ${ajv.errorsText(validate.errors)}\n${JSON.stringify(body).slice(0, 2000)}`,
    );
}
