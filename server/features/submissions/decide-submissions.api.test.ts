import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let ada: Actor;
let uploader: Client;
beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  ada = await it.given.person("ada");
  uploader = await it.as(ada);
});
afterAll(() => it.close());

const decide = (client: Client, decision: string, submissions: readonly number[], reason?: string) =>
  client.post("/submissions/decisions", { decision, submissions, ...(reason === undefined ? {} : { reason }) });
const done = (id: number) => ({ id, done: true, code: "success.request.processed", reasons: [] });
const stateOf = async (id: number) => (await admin.get(`/submissions/${id}`)).data.state;
const waiting = async (repository: { name: string }, name: string) =>
  (await it.given.submission(uploader, repository.name, await smallRPackage(name, "1.0"))).id;
/** Until then, statements of inspections come between others. */
const inspected = (ids: readonly number[]) =>
  expect
    .poll(async () => {
      const summaries = it.deps.db.selectFrom("review_summaries").select("submission_id");
      return (await summaries.where("submission_id", "in", ids).execute()).length;
    })
    .toBe(ids.length);
const indexOf = async (repository: { name: string }) =>
  (await it.anonymous.request(`/repo/${repository.name}/src/contrib/PACKAGES`)).text();

describe("a decision on many submissions", () => {
  test.each([[[0, 0]], [[-1]], [[0, 2_147_483_647]]])(
    "finds none with the ids %j, which none can have",
    async (ids) => {
      const { http, data } = await decide(admin, "ACCEPTED", ids);
      expect(http).toBe(200);
      expect(data.results.map(({ code }: { code: string }) => code)).toEqual(
        [...new Set(ids)].map(() => "submission.notfound"),
      );
    },
  );

  test("is taken on each, in any repository, and clients see all of it when the call returns", async () => {
    const [one, other] = [await it.given.repository("R"), await it.given.repository("R")];
    const python = await it.given.repository("Python");
    const ids = [await waiting(one, "aardvark"), await waiting(other, "buoy"), await waiting(one, "zebra")];
    ids.push((await it.given.submission(uploader, python.name, await smallSdist("tides", "1.0"))).id);
    const before = await it.deps.db.selectFrom("events").select("id").execute();
    const answer = await decide(admin, "ACCEPTED", ids, "as agreed");
    expect([answer.http, answer.data]).toEqual([200, { results: ids.map(done) }]);
    expect(await indexOf(one)).toMatch(/Package: aardvark\n(.|\n)*Package: zebra\n/);
    expect(await indexOf(other)).toContain("Package: buoy\n");
    expect((await it.anonymous.request(`/repo/${python.name}/simple/tides/`)).status).toBe(200);
    for (const id of ids) {
      const { data } = await admin.get(`/submissions/${id}`);
      expect([data.state, data.approver.id, data.reason]).toEqual(["ACCEPTED", it.admin.id, "as agreed"]);
    }
    const after = await it.deps.db.selectFrom("events").select("id").execute();
    expect(after.length - before.length).toBe(ids.length);
  });

  test("renders a repository a few times, not once for each", async () => {
    const repository = await it.given.repository("R");
    const ids: number[] = [];
    for (let index = 0; index < 12; index += 1) ids.push(await waiting(repository, `pkg${index}x`));
    await decide(admin, "ACCEPTED", ids);
    const renders = await it.deps.db
      .selectFrom("rendered_serials")
      .select("serial")
      .where("repository_id", "=", repository.id)
      .execute();
    expect(await indexOf(repository)).toContain("Package: pkg11x\n");
    expect(renders.length).toBeLessThanOrEqual(3);
  });

  test("sends no statement more often for many than for a few", async () => {
    const sent: Map<string, number>[] = [];
    for (const [name, count] of [
      ["few", 2],
      ["many", 30],
    ] as const) {
      const repository = await it.given.repository("R");
      const ids: number[] = [];
      for (let index = 0; index < count; index += 1) ids.push(await waiting(repository, `${name}${index}x`));
      await inspected(ids);
      it.takeStatements();
      await decide(admin, "ACCEPTED", ids);
      const times = new Map<string, number>();
      for (const { sql } of it.takeStatements()) {
        const text = sql.replaceAll(/\$\d+(, \$\d+)*/g, "$");
        if (!/\bjobs\./.test(text)) times.set(text, (times.get(text) ?? 0) + 1);
      }
      sent.push(times);
    }
    const [few, many] = sent;
    expect(many?.size).toBeGreaterThan(15);
    // Another render or job may send one or two in the meantime.
    const repeated = [...(many ?? [])].filter(([text, times]) => times > (few?.get(text) ?? 0) + 3);
    expect(repeated).toEqual([]);
  });

  test("refuses some and takes the others, each for the reason that it would have alone", async () => {
    const repository = await it.given.repository("R");
    const [decided, free, own] = [
      await waiting(repository, "first"),
      await waiting(repository, "second"),
      (await it.given.submission(admin, repository.name, await smallRPackage("third", "1.0"))).id,
    ];
    await decide(admin, "REJECTED", [decided]);
    const { data } = await decide(admin, "ACCEPTED", [decided, free, 2_000_000_000, own, free]);
    expect(data.results).toEqual([
      { id: decided, done: false, code: "error.malformed.patch", reasons: [expect.any(String)] },
      done(free),
      { id: 2_000_000_000, done: false, code: "submission.notfound", reasons: [] },
      { id: own, done: false, code: "error.malformed.patch", reasons: [expect.any(String)] },
    ]);
    expect([await stateOf(decided), await stateOf(free)]).toEqual(["REJECTED", "ACCEPTED"]);
  });

  test("is refused to those who may not decide, and leaves no trace", async () => {
    const repository = await it.given.repository("R");
    const id = await waiting(repository, "guarded");
    const stranger = await it.as(await it.given.person("stranger"));
    for (const client of [uploader, stranger]) {
      const { data } = await decide(client, "ACCEPTED", [id]);
      expect(data.results).toEqual([{ id, done: false, code: "user.not.authorized", reasons: [] }]);
    }
    expect(await stateOf(id)).toBe("WAITING");
    expect((await decide(uploader, "CANCELLED", [id])).data.results).toEqual([done(id)]);
    expect(await stateOf(id)).toBe("CANCELLED");
  });

  test("keeps two names apart that look the same, also when both are in it", async () => {
    const repository = await it.given.repository("R");
    const ids = [await waiting(repository, "Tidal"), await waiting(repository, "tidal")];
    const { data } = await decide(admin, "ACCEPTED", ids);
    expect(data.results).toMatchObject([{ done: true }, { done: false, code: "error.validation" }]);
    expect(await indexOf(repository)).not.toContain("Package: tidal\n");
  });

  test("accepts a replacement, and what follows it", async () => {
    const repository = await it.given.repository("R");
    await it.given.submission(admin, repository.name, await smallRPackage("twice", "1.0"));
    const replacement = await smallRPackage("twice", "1.0", { Title: "New" });
    const answer = await uploader.upload("R", replacement, { repository: repository.name, replace: "true" });
    const later = await waiting(repository, "later");
    const { data } = await decide(admin, "ACCEPTED", [answer.data.id, later]);
    expect(data.results).toEqual([done(answer.data.id), done(later)]);
    expect((await indexOf(repository)).match(/^Package: twice$/gm)).toHaveLength(1);
  });

  test("reports what was decided before it failed", async () => {
    const [one, other] = [await it.given.repository("R"), await it.given.repository("R")];
    const ids = [await waiting(one, "quay"), await waiting(other, "wharf")];
    await it.pool.query(`
      create function fail_here() returns trigger language plpgsql as $$ begin raise 'it fails here'; end $$;
      create trigger fail_here before update on repositories for each row when (old.id = ${other.id}) execute function fail_here()`);
    const { http, data } = await decide(admin, "ACCEPTED", ids);
    await it.pool.query("drop function fail_here() cascade");
    const failed = { id: ids[1], done: false, code: "internal.error", reasons: [] };
    expect([http, data.results]).toEqual([200, [done(ids[0] ?? 0), failed]]);
    expect([await stateOf(ids[0] ?? 0), await stateOf(ids[1] ?? 0)]).toEqual(["ACCEPTED", "WAITING"]);
    expect((await decide(admin, "ACCEPTED", ids.slice(1))).data.results).toEqual([done(ids[1] ?? 0)]);
  });

  test("must name at least one submission and at most a thousand", async () => {
    for (const ids of [[], Array.from({ length: 1001 }, (_unused, index) => index + 1)])
      expect((await decide(admin, "ACCEPTED", ids)).http).toBe(400);
  });
});
