import { isDeepStrictEqual } from "node:util";
import type { Link } from "@packhouse/contract/links";
import type { OperationName } from "@packhouse/contract/operations";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, expect, test } from "vitest";
import { seenAnswers } from "../described-answers.ts";
import type { TestPackhouse } from "../packhouse.ts";
import { auditOf, eventsSince, type Newest, newestEvent } from "./audit.ts";
import type { Calls, Variant } from "./calls.ts";
import { type Matrix, startMatrix } from "./matrix.ts";
import type { Person, PersonName } from "./people.ts";
import type { TargetRecord } from "./records.ts";

let it: TestPackhouse;
let people: Person[];
let calls: Matrix["calls"];

beforeAll(async () => {
  seenAnswers.clear(); // those of earlier files
  ({ it, people, calls } = await startMatrix());
});
afterAll(() => it.close());

/** Calls that did not write exactly the expected events. */
const unaudited: string[] = [];

/** The answer to each cell of the matrix. */
const answered = new Map<string, number>();
const cell = (...parts: string[]) => parts.join(" | ");

/** Records that no call has changed yet, to be used again. */
const unused = new Map<string, TargetRecord>();

const keyOf = (route: OperationName, state: string, person: Person) =>
  cell(route, state, state.startsWith("own") ? person.name : "");

async function recordFor(route: OperationName, { make }: Calls, state: string, person: Person): Promise<TargetRecord> {
  if (!make) return { id: 0 };
  const key = keyOf(route, state, person);
  const known = unused.get(key);
  if (known) return known;
  const made = await make(state, person);
  unused.set(key, made);
  return made;
}

/** The latest events before the calls that are checked next. */
let newest: Newest;

/** Compares the events since the last check with the expected ones. */
async function checkEvents(what: string, audit: string): Promise<void> {
  const events = await eventsSince(it, newest);
  if (events.join() !== audit) unaudited.push(`${what}: ${events.join() || "no event"}, not ${audit || "none"}`);
  if (events.length > 0) newest = await newestEvent(it);
}

interface Cell {
  route: OperationName;
  variant: Variant;
  state: string;
  person: Person;
  record: TargetRecord;
}

/** Makes the call; returns its status, and how it differs from the table. */
async function send({ route, variant, state, person, record }: Cell): Promise<{ http: number; wrong: string[] }> {
  const what = `${route} ${variant.name} of ${state} by ${person.name}`;
  const answer = await variant.send(person.client, record, state).catch((error: Error) => error);
  if (answer instanceof Error) return { http: 500, wrong: [`${what}: ${answer.message}`] };
  const { http, messageCode } = answer;
  answered.set(cell(route, variant.name, state, person.name), http);
  const expected = variant.expected(person, state, record);
  return { http, wrong: http === expected ? [] : [`${what}: ${http} ${messageCode}, not ${expected}`] };
}

/** Of each role, and of each relation to a record, one. */
const oneOfEach: readonly string[] = [
  "stranger",
  "submitter",
  "package maintainer of it",
  "package maintainer of another",
  "repository maintainer of it",
  "repository maintainer of another",
  "administrator",
] satisfies PersonName[];

/**
 * Who makes a call. Both technologies have the same rules, and those who cannot sign in are refused before any record is
 * looked for: outside the long form, the routes of Python are called by one of each kind, and those who cannot sign in
 * call about one state.
 */
const callers = (route: OperationName, isFirstState: boolean): Person[] =>
  people.filter(
    ({ name, out }) => isLong || (out ? isFirstState : !route.includes(" /python/") || oneOfEach.includes(name)),
  );

/** One call by each caller. The events of refused calls and reads are checked once, at the end. */
async function walk(route: OperationName, of: Calls, variant: Variant, state: string): Promise<string[]> {
  const callersOfIt = callers(route, state === of.states[0]);
  const wrong: string[] = [];
  newest = await newestEvent(it);
  const refused = `${route} ${variant.name} of ${state} by those who may not`;
  // A server runs only a few exports concurrently.
  if (route.startsWith("GET") && route !== "GET /events/export") {
    const cells: Cell[] = [];
    for (const person of callersOfIt)
      cells.push({ route, variant, state, person, record: await recordFor(route, of, state, person) });
    newest = await newestEvent(it);
    for (const result of await Promise.all(cells.map(send))) wrong.push(...result.wrong);
    await checkEvents(`reading ${route} ${variant.name} of ${state}`, "");
    return wrong;
  }
  for (const person of callersOfIt) {
    const makes = of.make !== undefined && !unused.has(keyOf(route, state, person));
    if (makes) await checkEvents(refused, "");
    const record = await recordFor(route, of, state, person);
    if (makes) newest = await newestEvent(it);
    const result = await send({ route, variant, state, person, record });
    wrong.push(...result.wrong);
    if (result.http >= 300) continue;
    // It may have changed more than its own record: responsible users are chosen again, for example.
    unused.clear();
    await checkEvents(`${route} ${variant.name} of ${state} by ${person.name}`, auditOf(route, state) ?? "");
  }
  await checkEvents(refused, "");
  return wrong;
}

test("every call answers its callers according to the permission table", async () => {
  const wrong: string[] = [];
  for (const [route, of] of Object.entries(calls) as [OperationName, Calls][])
    for (const variant of of.variants)
      for (const state of of.states) wrong.push(...(await walk(route, of, variant, state)));
  process.stdout.write(`The authorization matrix has ${answered.size} cells.\n`);
  expect(wrong).toEqual([]);
}, 600_000);

test("every change writes exactly its event, and refused calls and reads write none", () => {
  expect(answered.size).toBeGreaterThan(1000);
  expect(unaudited).toEqual([]);
});

/** Items with permission links: which route reads one, and which calls its links stand for. */
interface Linked {
  read: OperationName;
  patch?: OperationName;
  /** What the DELETE link stands for: soft deletion of a live record, purging of a deleted one. */
  deletion?: { live: "patch" | "purge"; purge: OperationName };
  posts?: Record<string, OperationName>;
}
const families: Linked[] = [
  ...(["r", "python"] as const).flatMap((path): Linked[] => [
    {
      read: `GET /${path}/repositories/:id`,
      patch: `PATCH /${path}/repositories/:id`,
      deletion: { live: "patch", purge: `DELETE /${path}/repositories/:id` },
      posts: {
        republish: `POST /${path}/repositories/:id/republish`,
        synchronize: `POST /${path}/repositories/:id/synchronize-mirrors`,
      },
    },
    {
      read: `GET /${path}/packages/:id`,
      patch: `PATCH /${path}/packages/:id`,
      deletion: { live: "patch", purge: `DELETE /${path}/packages/:id` },
    },
    { read: `GET /${path}/submissions/:id`, patch: `PATCH /${path}/submissions/:id` },
  ]),
  {
    read: "GET /users/:id",
    patch: "PATCH /users/:id",
    posts: { resetSecondFactors: "POST /users/:id/reset-second-factors" },
  },
  { read: "GET /user-settings/:id", patch: "PATCH /user-settings/:id" },
  { read: "GET /sessions/:id", deletion: { live: "purge", purge: "DELETE /sessions/:id" } },
  {
    read: "GET /access-tokens/:id",
    patch: "PATCH /access-tokens/:id",
    deletion: { live: "purge", purge: "DELETE /access-tokens/:id" },
  },
  {
    read: "GET /package-maintainers/:id",
    patch: "PATCH /package-maintainers/:id",
    deletion: { live: "patch", purge: "DELETE /package-maintainers/:id" },
  },
  {
    read: "GET /repository-maintainers/:id",
    patch: "PATCH /repository-maintainers/:id",
    deletion: { live: "patch", purge: "DELETE /repository-maintainers/:id" },
  },
  {
    read: "GET /review-comments/:id",
    patch: "PATCH /review-comments/:id",
    deletion: { live: "purge", purge: "DELETE /review-comments/:id" },
  },
  { read: "GET /events/:id" },
];

/** Whether a call of this user about a record in this state has succeeded, in one of its variants. */
const worked = (route: OperationName, state: string, person: Person, wanted = (_variant: string) => true): boolean =>
  calls[route].variants.some(
    ({ name }) => wanted(name) && (answered.get(cell(route, name, state, person.name)) ?? 500) < 300,
  );

function deletionWorked(
  { live, purge }: Linked["deletion"] & {},
  patch: OperationName | undefined,
  state: string,
  person: Person,
): boolean {
  const isLive = !["deleted", "rejected", "cancelled"].includes(state);
  return isLive && live === "patch" && patch !== undefined
    ? worked(patch, state, person, (variant) => variant === "delete")
    : worked(purge, state, person);
}

const samePermissions = (a: readonly Link[], b: readonly Link[]): boolean => {
  const permissions = (links: readonly Link[]) =>
    links.filter(({ type }) => type).map(({ rel, type }) => `${rel} ${type}`);
  return isDeepStrictEqual(permissions(a), permissions(b));
};

test("every permission link that is offered works, and what is not offered is refused", async () => {
  const wrong: string[] = [];
  let tried = 0;
  for (const { read, patch, deletion, posts = {} } of families) {
    const path = read.slice("GET ".length);
    const readable = new Map<Person, { state: string; id: number }[]>(people.map((person) => [person, []]));
    for (const state of calls[read].states)
      for (const [person, records] of readable)
        if (worked(read, state, person, (variant) => variant === ""))
          records.push({ state, id: (await recordFor(read, calls[read], state, person)).id });

    const compare = async (person: Person, records: { state: string; id: number }[]) => {
      if (records.length === 0) return;
      const list = await person.client.get(`${path.replace("/:id", "")}?size=2000&sort=id,desc`);
      for (const { state, id } of records) {
        const links = (await person.client.get(path.replace(":id", String(id)))).data.links as Link[]; // validated against the description
        const offered = (type: string, rel = "self") => links.some((link) => link.type === type && link.rel === rel);
        const said = {
          PATCH: [offered("PATCH"), patch !== undefined && worked(patch, state, person)],
          DELETE: [offered("DELETE"), deletion !== undefined && deletionWorked(deletion, patch, state, person)],
          ...Object.fromEntries(
            Object.entries(posts).map(([rel, route]) => [rel, [offered("POST", rel), worked(route, state, person)]]),
          ),
        };
        tried += Object.keys(said).length;
        for (const [what, [isOffered, works]] of Object.entries(said))
          if (isOffered !== works)
            wrong.push(`${what} of ${read} ${state} for ${person.name}: offered ${isOffered}, works ${works}`);

        // A list shows the same permissions as the record itself, to users who can see it there.
        const inList = list.data?.content?.find((item: { id: number }) => item.id === id);
        if (inList && !samePermissions(inList.links, links))
          wrong.push(`${read} ${state} for ${person.name}: other links in the list`);
      }
    };
    await Promise.all([...readable].map(([person, records]) => compare(person, records)));
  }
  process.stdout.write(`${tried} permission links were tried, or found missing with reason.\n`);
  expect(wrong).toEqual([]);
}, 600_000);

test("the walk has had every answer that a successful call can have", () => {
  const successes = Object.keys(calls).filter((route) => {
    const [method = "", path = ""] = route.split(" ");
    const template = `${method} /api/v2/manager${path.replace(/:(\w+)/g, "{$1}")}`;
    return ![200, 201, 204].some((status) => seenAnswers.has(`${template} ${status}`));
  });
  // Answers that need something that does not exist here: a mirror, a manual, a vignette of this package.
  expect(successes).toEqual([
    "GET /r/repositories/bad-endpoint",
    "GET /r/repositories/:id/synchronization-status",
    "GET /python/repositories/:id/synchronization-status",
    "GET /r/packages/:id/manual",
    "GET /r/packages/:id/manual.html",
    "GET /r/packages/:id/vignettes/:file",
  ]);
});
