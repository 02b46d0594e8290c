import { type OperationName, operations } from "@packhouse/contract/operations";
import { codeOfSentence } from "@packhouse/contract/violation-sentences";
import { type ViolationCode, violations, violationText } from "@packhouse/contract/violations";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Client, replace, startPackhouse, type TestAnswer, type TestPackhouse } from "../packhouse.ts";
import { codeOfApp } from "../second-factors/authenticator-app.ts";
import { smallRPackage, smallWheel } from "../small-packages.ts";

type Patch = Extract<OperationName, `PATCH ${string}`>;

let it: TestPackhouse;
let client: Client;
/** The record that each patch is about. */
let ids: Record<Patch, number>;

beforeAll(async () => {
  it = await startPackhouse();
  client = await it.bySession(it.admin);
  const person = await it.given.person("person", "repositorymaintainer");
  const carer = await it.given.person("carer", "packagemaintainer");
  const repository = { R: await it.given.repository("R"), Python: await it.given.repository("Python") };
  const uploader = await it.as(await it.given.person("uploader"));
  const accepted = {
    R: await client.upload("R", await smallRPackage("known", "1.0"), { repository: repository.R.name }),
    Python: await client.upload("Python", await smallWheel("known", "1.0"), { repository: repository.Python.name }),
  };
  const waiting = {
    R: await uploader.upload("R", await smallRPackage("new", "1.0"), { repository: repository.R.name }),
    Python: await uploader.upload("Python", await smallWheel("new", "1.0"), { repository: repository.Python.name }),
  };
  const token = await client.post("/access-tokens", { name: "nightly" });
  const started = await client.post("/second-factors/enrollment", { method: "totp", password: "admin-password" });
  const { continuation, totp } = started.data;
  const code = codeOfApp(totp.secret, it.deps.clock());
  const factor = await client.post("/second-factors", { continuation, name: "phone", code });
  const comment = await client.post(`/submissions/${waiting.R.data.id}/comments`, { text: "Why?" });
  ids = {
    "PATCH /users/:id": person.id,
    "PATCH /user-settings/:id": person.id,
    "PATCH /access-tokens/:id": token.data.id,
    "PATCH /second-factors/:id": factor.data.factor.id,
    "PATCH /r/repositories/:id": repository.R.id,
    "PATCH /python/repositories/:id": repository.Python.id,
    "PATCH /r/packages/:id": accepted.R.data.packageBag.id,
    "PATCH /python/packages/:id": accepted.Python.data.packageBag.id,
    "PATCH /r/submissions/:id": waiting.R.data.id,
    "PATCH /python/submissions/:id": waiting.Python.data.id,
    "PATCH /review-comments/:id": comment.data.id,
    "PATCH /package-maintainers/:id": await it.given.packageMaintainer(carer, repository.R, "known"),
    "PATCH /repository-maintainers/:id": await it.given.repositoryMaintainer(person, repository.R),
  };
});
afterAll(() => it.close());

const ofRepository = {
  name: "empty.name",
  publicationUri: "empty.publicationuri",
  serverAddress: "empty.serveraddress",
} as const;
const ofPackage = { name: "empty.name", version: "empty.version" } as const;
/** The code of each required value; other values are read-only, or have no rule of their own. */
const required: Partial<Record<Patch, Record<string, ViolationCode>>> = {
  "PATCH /r/repositories/:id": ofRepository,
  "PATCH /python/repositories/:id": ofRepository,
  "PATCH /r/packages/:id": { ...ofPackage, license: "forbidden.update", title: "empty.title" },
  "PATCH /python/packages/:id": ofPackage,
  "PATCH /access-tokens/:id": { name: "token.name.must.be.not.blank" },
  "PATCH /package-maintainers/:id": {
    packageName: "empty.package",
    user: "empty.user",
    repository: "empty.repository",
  },
  "PATCH /repository-maintainers/:id": { user: "empty.user", repository: "empty.repository" },
  "PATCH /user-settings/:id": { language: "language.not.supported", theme: "theme.not.supported" },
  "PATCH /second-factors/:id": { name: "second.factor.name.invalid" },
  "PATCH /review-comments/:id": { text: "review.text.empty" },
  "PATCH /users/:id": { name: "forbidden.update", login: "forbidden.update", email: "forbidden.update" },
};

const isViolation = (entry: string): boolean => entry in violations || codeOfSentence(entry) !== undefined;

/** Whether a refusal is in words of ours: a list of codes, or one sentence. */
function isOurs({ messageCode, data }: TestAnswer): boolean {
  if (messageCode === "error.malformed.patch")
    return /^(Value required|Wrong value|Value of a wrong type) at path: \/\w+$/.test(data) || isViolation(data);
  if (messageCode !== "error.validation") return false;
  return typeof data === "string" ? isViolation(data) : data.length > 0 && data.every(isViolation);
}

describe("null for a value, or its removal, is refused by a code or a sentence of ours", () => {
  const patches = Object.entries(operations).flatMap(([name, { body }]) => (body === "json-patch" ? [name] : []));

  test.each(patches as Patch[])("%s", async (patch) => {
    const path = patch.slice("PATCH ".length).replace(":id", String(ids[patch]));
    const read = await client.get(path.startsWith("/second-factors") ? "/second-factors" : path);
    const { links: _links, ...record } = read.data.factors?.[0] ?? read.data;
    expect(Object.keys(record).length).toBeGreaterThan(3);
    for (const field of Object.keys(record))
      for (const operation of [replace(`/${field}`, null), { op: "remove", path: `/${field}` }]) {
        const answer = await client.patch(path, [operation]);
        const { http, messageCode, data } = answer;
        const shown = JSON.stringify({ operation, http, messageCode, data });
        const code = required[patch]?.[field];
        if (code) expect(data, shown).toContain(violationText(code));
        if (http !== 200) expect([http, isOurs(answer)], shown).toEqual([422, true]);
      }
  });
});

test("a reference that is ignored may be replaced by its id alone", async () => {
  const patches: [Patch, string, object][] = [
    ["PATCH /access-tokens/:id", "/user", { id: 999 }],
    ["PATCH /user-settings/:id", "/user", { id: 999 }],
    ["PATCH /users/:id", "/userSettings", { theme: "dark" }],
  ];
  for (const [patch, pointer, value] of patches) {
    const path = patch.slice("PATCH ".length).replace(":id", String(ids[patch]));
    const before = (await client.get(path)).data;
    expect([patch, (await client.patch(path, [replace(pointer, value)])).http]).toEqual([patch, 200]);
    // Settings are saved by their first patch.
    expect((await client.get(path)).data).toEqual({ ...before, id: expect.any(Number) });
  }
  const submission = `/r/submissions/${ids["PATCH /r/submissions/:id"]}`;
  const handover = [replace("/submitter", { id: it.admin.id })];
  expect((await client.patch(submission, handover)).data).toBe(violationText("could.not.change.submission"));
  const stranger = await it.as(await it.given.person("stranger"));
  expect((await stranger.patch(submission, handover)).http).toBe(403);
});

test("null in the body of a new record or an action is a bad request or has a code of ours", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const [name, { method, path, body }] of Object.entries(operations)) {
    if (method !== "POST" || typeof body !== "object" || !("json" in body)) continue;
    const options = body.json instanceof z.ZodUnion ? body.json.options : [body.json];
    for (const option of options)
      for (const field of option instanceof z.ZodObject ? Object.keys(option.shape) : []) {
        const answer = await client.post(path.replace(":id", String(ids["PATCH /users/:id"])), { [field]: null });
        tried += 1;
        if (
          ![400, 401, 403, 404].includes(answer.http) &&
          answer.http >= 300 &&
          !isOurs(answer) &&
          answer.data !== null
        )
          wrong.push(`${name} ${field}: ${answer.http} ${JSON.stringify(answer.data)}`);
        if (answer.http >= 500) wrong.push(`${name} ${field}: ${answer.http}`);
      }
  }
  expect(wrong).toEqual([]);
  expect(tried).toBeGreaterThan(30);
});
