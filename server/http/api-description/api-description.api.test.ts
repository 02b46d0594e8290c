import { describedPath, type OpenApiDocument } from "@packhouse/contract/openapi/openapi";
import { apiPrefix, nameOf } from "@packhouse/contract/operation";
import { operations } from "@packhouse/contract/operations";
import { Validator } from "@seriousme/openapi-schema-validator";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { checkAnswer } from "../../testing/described-answers.ts";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

let it: TestPackhouse;
let description: OpenApiDocument;

beforeAll(async () => {
  it = await startPackhouse();
  description = (await (await fetch(`${it.address}/v2/api-docs`)).json()) as OpenApiDocument; // validated by the first test
});
afterAll(() => it.close());

describe("the description of the API", () => {
  test("is a valid OpenAPI 3.1 document that names the address at which it was asked for", async () => {
    const result = await new Validator().validate({ ...description });
    expect(result.errors ?? []).toEqual([]);
    expect(description.openapi).toBe("3.1.0");
    expect(description.servers).toEqual([{ url: it.address }]);
  });

  test("has every operation of the contract, and each of them is served", () => {
    for (const operation of Object.values(operations)) {
      const { method, path } = operation;
      const described = description.paths[describedPath(operation)]?.[method.toLowerCase()];
      expect(described, nameOf(operation)).toBeDefined();
      expect(it.packhouse.app.fastify.hasRoute({ method, url: apiPrefix + path }), nameOf(operation)).toBe(true);
    }
  });

  test("gives every call a unique name", () => {
    const ids = Object.values(description.paths).flatMap((path) => Object.values(path).map((it) => it.operationId));
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });

  test("finds answers that are not as described", async () => {
    const address = `${it.address}${apiPrefix}/users/me`;
    const { data } = await (await it.as(it.admin)).get("/users/me");
    const body = {
      status: "SUCCESS",
      code: 200,
      message: "Done.",
      messageCode: "success.request.processed",
      data,
    };
    checkAnswer("GET", address, 200, body);
    const wrong = { ...body, data: { ...data, active: "yes" } };
    expect(() => checkAnswer("GET", address, 200, wrong)).toThrow("data/active must be boolean");
    expect(() => checkAnswer("GET", address, 200, { ...body, data: { ...data, more: 1 } })).toThrow("additional");
    expect(() => checkAnswer("GET", address, 418, body)).toThrow("is not described");
  });
});

describe("the viewer", () => {
  test("is a page whose parts all come from this server", async () => {
    const page = await (await fetch(`${it.address}/docs/api.html`)).text();
    const parts = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, part = ""]) => part);
    expect(parts.length).toBe(3);
    for (const part of parts) {
      const answer = await fetch(new URL(part, `${it.address}/docs/api.html`));
      expect([part, answer.status]).toEqual([part, 200]);
      expect(new URL(answer.url).origin).toBe(it.address);
    }
  });
});
