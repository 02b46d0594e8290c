import type { OperationName } from "@packhouse/contract/operations";
import { may } from "@packhouse/contract/permissions";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Matrix, startMatrix } from "./matrix.ts";
import type { Person } from "./people.ts";

/** Quotas and rates apply to everyone, except uploads that need no room. */
let matrix: Matrix;
beforeAll(async () => {
  matrix = await startMatrix({
    settings: { "limits.waiting.perRepository": 1, "limits.accessTokens.perUser": 1, "limits.calls.perUser": 40 },
  });
}, 120_000);
afterAll(() => matrix.it.close());

async function answerTo(route: OperationName, person: Person): Promise<string> {
  const calls = matrix.calls[route];
  const [variant] = calls.variants;
  if (!variant) throw new Error(`${route} has no call`);
  const { http, messageCode } = await variant.send(person.client, { id: 0 }, calls.states[0] ?? "");
  return `${person.name}: ${http} ${messageCode}`;
}

async function table(route: OperationName, expected: (person: Person) => string): Promise<void> {
  const answers: string[] = [];
  for (const person of matrix.people) answers.push(await answerTo(route, person));
  const signedOut = "401 error.user.not.authenticated";
  expect(answers).toEqual(
    matrix.people.map((person) => `${person.name}: ${person.out ? signedOut : expected(person)}`),
  );
}

describe("quotas of", () => {
  test.each(["POST /r/submissions", "POST /python/submissions"] as const)(
    "waiting submissions concern all whose uploads wait: %s",
    async (route) => {
      // One is waiting, so that there is no room for another.
      const [stranger] = matrix.people;
      if (!stranger) throw new Error("nobody is there");
      expect(await answerTo(route, stranger)).toContain("201");
      await table(route, ({ caller, relation }) =>
        may("uploadAccepted", caller, relation)
          ? "201 success.resource.created"
          : "429 too.many.waiting.submissions.in.repository",
      );
    },
    60_000,
  );

  test("access tokens apply to everyone, including administrators", async () => {
    // An access token makes none, so it comes to no limit.
    const by = (answer: string) => (person: Person) =>
      person.caller.byAccessToken ? "403 user.not.authorized" : answer;
    await table("POST /access-tokens", by("200 success.request.processed"));
    await table("POST /access-tokens", by("429 too.many.access.tokens"));
  });

  test("calls apply to everyone, including administrators", async () => {
    const unlimited: string[] = [];
    for (const { name, client, out } of matrix.people) {
      const answers = await Promise.all(Array.from({ length: 60 }, () => client.get("/version")));
      const codes = new Set(answers.map(({ messageCode }) => messageCode));
      if (codes.has("too.many.calls") === out) unlimited.push(name);
    }
    expect(unlimited).toEqual([]);
  }, 60_000);
});
