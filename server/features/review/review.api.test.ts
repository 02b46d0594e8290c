import { rankOf } from "@packhouse/contract/roles";
import { violationText } from "@packhouse/contract/violations";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist, smallWheel } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let now = new Date("2026-03-01T10:00:00Z");
let admin: Client;
/** Submits; has no rights on packages. */
let ren: Client;
/** Maintains the R repository `north`. */
let mara: Client;
let maraId: number;
let stranger: Client;
let north: { id: number };

beforeAll(async () => {
  it = await startPackhouse({
    clock: () => now,
    settings: {
      readRights: [
        { repository: "vault", role: "packagemaintainer", groups: [] },
        { repository: "cellar", groups: ["auditors"] },
      ],
    },
  });
  admin = await it.bySession(it.admin);
  north = await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
  const keeper = await it.given.person("mara", "repositorymaintainer");
  await it.given.repositoryMaintainer(keeper, north);
  maraId = keeper.id;
  mara = await it.as(keeper);
  ren = await it.as(await it.given.person("ren"));
  stranger = await it.as(await it.given.person("stranger", "repositorymaintainer"));
});
afterAll(() => it.close());

const files = { "R/lots.R": "lots <- function(x) x\n" };

async function submitted(name: string, content: Record<string, string> = files, version = "1.0"): Promise<number> {
  const answer = await ren.upload("R", await smallRPackage(name, version, {}, content), { repository: "north" });
  expect([answer.http, answer.data.state]).toEqual([201, "WAITING"]);
  return answer.data.id;
}

const decide = (client: Client, id: number, decision: string, more: object = {}) =>
  client.post(`/submissions/${id}/decision`, { decision, ...more });

/** Without what the API does at the same time: their records as a maintainer stay, as they may after an import. */
const loseRole = ({ id }: { id: number }) =>
  it.deps.db
    .updateTable("users")
    .set({ rank: rankOf("user") })
    .where("id", "=", id)
    .execute();

const reviewTables = [
  "review_states",
  "review_decisions",
  "review_comments",
  "review_marks",
  "review_looks",
  "review_checks",
  "review_assessments",
  "review_summaries",
  "previous_uploads",
];

const queueOf = async (client: Client, query = "mine=true") =>
  (await client.get(`/reviews?size=2000&${query}`)).data.content.map(({ id }: { id: number }) => id);

describe("a decision on a release", () => {
  test("accepts all its files at once, with the note, and shows it on each submission", async () => {
    const upload = async (file: Awaited<ReturnType<typeof smallSdist>>) =>
      (await ren.upload("Python", file, { repository: "south" })).data.id as number; // uploaded just now
    const ids = [await upload(await smallSdist("tide", "1.0")), await upload(await smallWheel("tide", "1.0"))];
    const [first = 0, second = 0] = ids;
    const queued = (await admin.get("/reviews?search=tide")).data.content;
    expect(queued).toMatchObject([{ id: first, files: [{ submissionId: first }, { submissionId: second }] }]);

    const answer = await decide(admin, second, "ACCEPTED", { reason: "Fine, **thanks**." });
    expect(answer).toMatchObject({ http: 200, data: { state: "ACCEPTED" } });
    expect(answer.data.release.files).toHaveLength(2);
    expect(answer.data.decisions).toMatchObject([
      { decision: "ACCEPTED", reason: "Fine, **thanks**.", user: { login: "admin" }, passedOver: [] },
      { decision: "ACCEPTED", reason: "Fine, **thanks**.", user: { login: "admin" }, passedOver: [] },
    ]);
    for (const id of ids)
      expect((await ren.get(`/submissions/${id}`)).data).toMatchObject({
        state: "ACCEPTED",
        reason: "Fine, **thanks**.",
        packageBag: { active: true },
      });
  });

  test("counts a required check that was reported for one of its files", async () => {
    const { id } = await it.given.repository("Python", { name: "east", requiredChecks: ["pytest"] });
    const uploads = [await smallSdist("swell", "1.0"), await smallWheel("swell", "1.0")];
    const ids: number[] = [];
    for (const file of uploads) ids.push((await ren.upload("Python", file, { repository: "east" })).data.id);
    const [source = 0, wheel = 0] = ids;
    await ren.post(`/submissions/${source}/checks`, { name: "pytest", state: "passed" });
    expect((await decide(admin, wheel, "ACCEPTED")).data.decisions).toMatchObject([
      { submissionId: wheel, passedOver: [] },
      { submissionId: source, passedOver: [] },
    ]);
    expect((await admin.get(`/repositories/${id}`)).data.requiredChecks).toEqual(["pytest"]);
  });

  test("on named files leaves the others waiting", async () => {
    const upload = async (file: Awaited<ReturnType<typeof smallSdist>>) =>
      (await ren.upload("Python", file, { repository: "south" })).data.id as number; // uploaded just now
    const source = await upload(await smallSdist("ebb", "1.0"));
    const wheel = await upload(await smallWheel("ebb", "1.0"));
    expect((await decide(admin, source, "REJECTED", { files: [wheel], reason: "no wheel" })).http).toBe(200);
    expect((await ren.get(`/submissions/${wheel}`)).data).toMatchObject({ state: "REJECTED", reason: "no wheel" });
    expect((await ren.get(`/submissions/${source}`)).data).toMatchObject({ state: "WAITING", reason: null });
    const other = await submitted("elsewhere");
    const wrong = await decide(admin, source, "ACCEPTED", { files: [source, other] });
    expect([wrong.http, wrong.data]).toEqual([422, ["review.not.in.release"]]);
    expect((await ren.get(`/submissions/${source}`)).data.state).toBe("WAITING");
  });

  describe("with a file that another user's replaces", () => {
    /** A file that waits, and one of another user that is to take its place. */
    const twoOf = async (name: string) => {
      const first = await submitted(name);
      const other = await smallRPackage(name, "1.0", {}, { "R/lots.R": "lots <- function(x) x + 1\n" });
      const answer = await stranger.upload("R", other, { repository: "north", replace: "true" });
      expect([answer.http, answer.data.state]).toEqual([201, "WAITING"]);
      return { first, second: answer.data.id as number }; // uploaded just now
    };
    const stateOf = async (id: number) => (await admin.get(`/submissions/${id}`)).data?.state;

    test("accepts the one that replaces, and shows its review", async () => {
      const { first, second } = await twoOf("both");
      const answer = await decide(admin, first, "ACCEPTED");
      expect([answer.http, answer.data.state]).toEqual([200, "ACCEPTED"]);
      expect(answer.data.release.id).toBe(second);
      expect(await stateOf(second)).toBe("ACCEPTED");
    });

    test("does not accept both, whichever call names them", async () => {
      const { first, second } = await twoOf("either");
      const named = await decide(admin, first, "ACCEPTED", { files: [first, second] });
      expect([named.http, named.data]).toEqual([422, ["review.replaced.in.decision"]]);
      const body = { decision: "ACCEPTED", submissions: [first, second] };
      const { data } = await admin.post("/submissions/decisions", body);
      expect(data.results).toMatchObject([
        { id: first, done: false, reasons: ["review.replaced.in.decision"] },
        { id: second, done: true },
      ]);
    });

    test("does not mind a file that is no longer to replace it", async () => {
      const { first, second } = await twoOf("settled");
      await decide(admin, second, "REJECTED", { files: [second] });
      const body = { decision: "ACCEPTED", submissions: [first, second] };
      expect((await admin.post("/submissions/decisions", body)).data.results).toMatchObject([
        { id: first, done: true },
        { id: second, done: false },
      ]);
    });

    test("keeps the record of a decision against the replaced one", async () => {
      const { first, second } = await twoOf("declined");
      await decide(admin, first, "REJECTED", { files: [first], reason: "not this one" });
      expect((await admin.get(`/submissions/${second}`)).data.replaces ?? null).toBeNull();
      expect((await decide(admin, second, "ACCEPTED")).http).toBe(200);
      expect((await ren.get(`/submissions/${first}`)).data).toMatchObject({
        state: "REJECTED",
        reason: "not this one",
      });
    });
  });

  test("is refused when it has been made already, and for users who may not make it", async () => {
    const id = await submitted("twice");
    expect((await decide(ren, id, "ACCEPTED")).http).toBe(403);
    expect((await decide(stranger, id, "ACCEPTED")).http).toBe(403);
    expect((await decide(mara, id, "REJECTED")).http).toBe(200);
    const late = await decide(mara, id, "ACCEPTED");
    expect([late.http, late.data]).toEqual([422, violationText("could.not.change.submission")]);
    expect((await decide(mara, 999_999, "ACCEPTED")).messageCode).toBe("submission.notfound");
    expect((await decide(mara, id, "CANCELLED")).http).toBe(400);
    const long = await decide(mara, await submitted("long"), "REJECTED", { reason: "x".repeat(10_001) });
    expect([long.http, long.data]).toEqual([422, ["review.text.too.long"]]);
  });

  test("can be given by a patch of the state with a reason, and of the state alone", async () => {
    const withReason = await mara.patch(`/r/submissions/${await submitted("patched")}`, [
      replace("/state", "REJECTED"),
      replace("/reason", "not yet"),
    ]);
    expect(withReason).toMatchObject({ http: 200, data: { state: "REJECTED", reason: "not yet" } });
    const alone = await mara.patch(`/r/submissions/${await submitted("plain")}`, [replace("/state", "rejected")]);
    expect(alone).toMatchObject({ http: 200, data: { state: "REJECTED", reason: null } });
    const onlyReason = await mara.patch(`/r/submissions/${await submitted("only")}`, [replace("/reason", "why")]);
    expect([onlyReason.http, onlyReason.data]).toEqual([422, violationText("could.not.change.submission")]);
  });
});

describe("asking for changes", () => {
  test("moves the release to its submitter, whose next upload answers and keeps the conversation", async () => {
    const id = await submitted("answered");
    await mara.post(`/submissions/${id}/comments`, { text: "Why?", path: "R/lots.R", line: 1, side: "after" });
    const mark = { path: "R/lots.R", sha256: "a".repeat(64), seen: true };
    await mara.post(`/submissions/${id}/marks`, mark);
    await mara.post(`/submissions/${id}/checks`, { name: "tests", state: "passed" });
    await mara.post(`/submissions/${id}/looking`, {});
    expect(await queueOf(mara)).toContain(id);

    expect((await decide(mara, id, "CHANGES", { reason: "please rename x" })).data).toMatchObject({
      state: "WAITING",
      release: { changesAsked: true, opened: true },
      decisions: [{ decision: "CHANGES", reason: "please rename x" }],
    });
    expect(await queueOf(mara)).not.toContain(id);
    expect(await queueOf(mara, "changesAsked=true")).toContain(id);
    expect(await queueOf(ren)).toEqual([id]);
    expect(await queueOf(ren, "")).toEqual([]);

    const same = await ren.upload("R", await smallRPackage("answered", "1.0", {}, files), { repository: "north" });
    expect([same.http, same.messageCode]).toEqual([200, "warning.package.duplicate"]);
    const answer = await submitted("answered", { "R/lots.R": "lots <- function(y) y\n" });
    expect(answer).not.toBe(id);
    expect(await queueOf(mara)).toContain(answer);
    expect(await queueOf(ren)).toEqual([]);
    const review = (await mara.get(`/submissions/${answer}/review`)).data;
    expect(review).toMatchObject({
      release: { id: answer, changesAsked: false, opened: false, comments: 1 },
      comments: [{ submissionId: answer, text: "Why?", line: 1 }],
      marks: [{ path: "R/lots.R", sha256: mark.sha256 }],
      decisions: [{ decision: "CHANGES", reason: "please rename x" }],
      // It was about other bytes.
      checks: { checks: [] },
    });
    const [event] = (await admin.get("/events?size=1&sort=id,desc&resourceType=submission")).data.content;
    expect(event).toMatchObject({ eventType: "upload", resourceId: answer });
    expect(event.changedProperties).toContainEqual({
      property: "changesAsked",
      valueBefore: "true",
      valueAfter: "false",
    });
  });

  test("lets reviewers compare the answer with the upload that they have seen, until they have decided", async () => {
    const rows = (...lines: string[]) => ({ "R/rows.R": `${lines.join("\n")}\n`, "R/same.R": "same <- 1\n" });
    const id = await submitted("seenbefore", rows("a <- 1", "b <- 2"));
    expect((await mara.get(`/submissions/${id}/comparison?base=previous-upload`)).http).toBe(404);
    expect((await mara.get(`/submissions/${id}/review`)).data.release.files).toMatchObject([{ replaced: false }]);
    await mara.post(`/submissions/${id}/looking`, {});
    await decide(mara, id, "CHANGES");
    // Its submitter looks at it, too, but nobody else has before the next one comes.
    const unseen = await submitted("seenbefore", rows("a <- 1", "b <- 20", "c <- 30"));
    await ren.post(`/submissions/${unseen}/looking`, {});
    const again = await ren.upload("R", await smallRPackage("seenbefore", "1.0", {}, rows("a <- 1", "b <- 3")), {
      repository: "north",
      replace: "true",
    });
    expect(again.http).toBe(201);
    const answer: number = again.data.id;
    expect(answer).not.toBe(unseen);
    expect((await mara.get(`/submissions/${answer}/review`)).data.release.files).toMatchObject([{ replaced: true }]);

    const address = `/submissions/${answer}/comparison`;
    const compared = (await mara.get(`${address}?base=previous-upload`)).data;
    expect(compared.base).toMatchObject({ version: "1.0", repository: "north", fileName: "seenbefore_1.0.tar.gz" });
    expect(
      compared.files
        .filter(({ change }: { change: string }) => change !== "unchanged")
        .map(({ path, added, removed }: { path: string; added: number; removed: number }) => [path, added, removed]),
    ).toEqual([["R/rows.R", 1, 1]]);
    const { hunks } = (await mara.get(`${address}/file?path=R/rows.R&base=previous-upload`)).data;
    expect(hunks).toMatchObject([
      {
        lines: [
          { kind: "same", before: 1, after: 1 },
          { kind: "removed", before: 2, parts: [{ text: "b <- " }, { text: "2" }] },
          { kind: "added", after: 2, parts: [{ text: "b <- " }, { text: "3" }] },
        ],
      },
    ]);
    const seen = "file?path=R/rows.R&side=before&base=previous-upload";
    expect(await (await mara.request(`/api/v2/manager/submissions/${answer}/${seen}`)).text()).toBe("a <- 1\nb <- 2\n");
    expect((await stranger.get(`${address}?base=previous-upload`)).http).toBe(403);

    // A reviewer who has seen the answer compares the next one with it.
    await mara.post(`/submissions/${answer}/looking`, {});
    await decide(mara, answer, "CHANGES");
    const last = await submitted("seenbefore", rows("a <- 1", "b <- 3", "d <- 4"));
    const next = (await mara.get(`/submissions/${last}/comparison?base=previous-upload`)).data;
    expect(next).toMatchObject({ added: 1, removed: 0 });

    expect((await decide(mara, last, "ACCEPTED")).data.state).toBe("ACCEPTED");
    expect((await mara.get(`/submissions/${last}/comparison?base=previous-upload`)).http).toBe(404);
  });

  test("is answered where a waiting file is to replace an accepted one, and only by those who may", async () => {
    const accepted = await admin.upload("R", await smallRPackage("kelp", "1.0", {}, files), { repository: "north" });
    expect(accepted.data.state).toBe("ACCEPTED");
    const upload = async (client: Client, text: string, replacing: boolean) =>
      client.upload("R", await smallRPackage("kelp", "1.0", {}, { "R/kelp.R": text }), {
        repository: "north",
        replace: String(replacing),
      });
    const { id } = (await upload(ren, "one\n", true)).data;
    expect((await decide(mara, id, "CHANGES")).http).toBe(200);
    expect((await upload(stranger, "two\n", false)).messageCode).toBe("warning.package.duplicate");
    const answer = await upload(ren, "three\n", false);
    expect(answer).toMatchObject({ http: 201, data: { state: "WAITING", replaces: accepted.data.packageBag.id } });
    expect((await decide(mara, answer.data.id, "ACCEPTED")).data.state).toBe("ACCEPTED");
  });

  test("is limited in number, over all uploads of the file; accepting is not", async () => {
    const id = await submitted("endless");
    const earlier = {
      submission_id: id,
      decision: "CHANGES" as const,
      reason: "",
      user_id: maraId,
      decided_on: now,
      passed_over: [],
    };
    await it.deps.db
      .insertInto("review_decisions")
      .values(Array.from({ length: 99 }, () => earlier))
      .execute();
    expect((await decide(mara, id, "CHANGES")).http).toBe(200);
    const answer = await submitted("endless", { "R/lots.R": "lots <- function(y) y\n" });
    expect(await decide(mara, answer, "CHANGES")).toMatchObject({ http: 422, data: ["too.many.change.requests"] });
    expect((await mara.get(`/submissions/${answer}/review`)).data.release.changesAsked).toBe(false);
    expect((await decide(mara, answer, "ACCEPTED")).data.state).toBe("ACCEPTED");
  });

  test("is not answered by an upload of another version", async () => {
    const id = await submitted("versions");
    await decide(mara, id, "CHANGES");
    await submitted("versions", files, "1.1");
    expect((await mara.get(`/submissions/${id}/review`)).data.release.changesAsked).toBe(true);
  });
});

describe("comments", () => {
  test("are added, edited and deleted by their author, each with an event", async () => {
    const id = await submitted("talk");
    const added = await ren.post(`/submissions/${id}/comments`, { text: "  It is *safe*.  " });
    expect(added).toMatchObject({ http: 201, data: { text: "It is *safe*.", path: null, edited: null } });
    const comment = added.data.id;
    expect((await mara.patch(`/review-comments/${comment}`, [replace("/text", "no")])).http).toBe(403);
    now = new Date(now.getTime() + 60_000);
    const edited = await ren.patch(`/review-comments/${comment}`, [replace("/text", "It is safe.")]);
    expect(edited).toMatchObject({ http: 200, data: { text: "It is safe.", edited: "2026-03-01T10:01:00Z" } });
    expect((await ren.patch(`/review-comments/${comment}`, [replace("/path", "R/x.R")])).data).toEqual([
      "forbidden.update",
    ]);
    expect((await ren.patch(`/review-comments/${comment}`, [replace("/text", " ")])).data).toEqual([
      "review.text.empty",
    ]);
    expect((await ren.delete(`/review-comments/${comment}`)).http).toBe(204);
    expect((await ren.delete(`/review-comments/${comment}`)).messageCode).toBe("review.comment.notfound");
    const { comments } = (await mara.get(`/submissions/${id}/comments`)).data;
    expect(comments).toMatchObject([{ id: comment, text: "", deleted: true, author: { login: "ren" } }]);
    const events = (await admin.get(`/events?size=3&sort=id,desc&resourceType=submission`)).data.content;
    expect(events.map(({ description }: { description: string }) => description)).toEqual([
      "Name of ren deleted a comment on talk 1.0 in north.",
      "Name of ren edited a comment on talk 1.0 in north.",
      "Name of ren commented on talk 1.0 in north.",
    ]);
  });

  test("on a line need its file and its side, and hostile texts are stored as they are", async () => {
    const id = await submitted("hostile");
    const post = (body: object) => ren.post(`/submissions/${id}/comments`, body);
    for (const body of [
      { text: "x", line: 3 },
      { text: "x", path: "a", line: 3 },
      { text: "x", path: "a", side: "after" },
    ])
      expect((await post(body)).data).toEqual(["review.line.without.file"]);
    expect((await post({ text: "" })).data).toEqual(["review.text.empty"]);
    expect((await post({ text: "x".repeat(10_001) })).data).toEqual(["review.text.too.long"]);
    for (const body of [
      { text: "x".repeat(30_000) },
      { text: "x", path: "" },
      { text: "x", path: "a", line: 0, side: "after" },
      { text: "x", path: "a", line: 1, side: "left" },
      { text: "x", author: 1 },
      {},
    ])
      expect((await post(body)).http).toBe(400);
    const text = "<script>alert(1)</script> [x](javascript:alert(1)) \u202e";
    const path = "../../etc/passwd";
    expect((await post({ text, path })).data).toMatchObject({ text, path });
    for (const wrong of ["with a \0 in it", "half \ud800 of a pair"])
      expect((await post({ text: wrong })).http).toBe(400);
  });

  test("are limited in number", async () => {
    const id = await submitted("chatty");
    await it.deps.db
      .insertInto("review_comments")
      .values(Array.from({ length: 500 }, () => ({ submission_id: id, text: "x", author_id: maraId, created_on: now })))
      .execute();
    expect((await ren.post(`/submissions/${id}/comments`, { text: "x" })).data).toEqual(["too.many.comments"]);
  });

  test("of one user fill half of the room, so that others can answer", async () => {
    const id = await submitted("talkative");
    await it.deps.db
      .insertInto("review_comments")
      .values(Array.from({ length: 250 }, () => ({ submission_id: id, text: "x", author_id: maraId, created_on: now })))
      .execute();
    const post = (client: Client) => client.post(`/submissions/${id}/comments`, { text: "x" });
    expect((await post(mara)).data).toEqual(["too.many.comments"]);
    expect((await post(ren)).http).toBe(201);
  });

  test("are limited in length all together, edited ones too", async () => {
    const id = await submitted("verbose");
    await it.deps.db
      .insertInto("review_comments")
      .values(
        Array.from({ length: 100 }, () => ({
          submission_id: id,
          text: "x".repeat(9_999),
          author_id: maraId,
          created_on: now,
        })),
      )
      .execute();
    const added = await ren.post(`/submissions/${id}/comments`, { text: "y".repeat(100) });
    expect(added.http).toBe(201);
    const long = "y".repeat(1_000);
    expect((await ren.post(`/submissions/${id}/comments`, { text: long })).data).toEqual(["too.many.comments"]);
    const edited = await ren.patch(`/review-comments/${added.data.id}`, [replace("/text", long)]);
    expect(edited.data).toEqual(["too.many.comments"]);
  });
});

describe("the desk", () => {
  test("keeps marks by file and bytes, for each user alone", async () => {
    const id = await submitted("marked");
    const mark = (seen: boolean, sha256 = "b".repeat(64)) =>
      mara.post(`/submissions/${id}/marks`, { path: "R/lots.R", sha256, seen });
    await mark(true);
    expect((await mark(true, "c".repeat(64))).data.marks).toEqual([
      { submissionId: id, path: "R/lots.R", sha256: "c".repeat(64) },
    ]);
    expect((await ren.get(`/submissions/${id}/review`)).data.marks).toEqual([]);
    const long = `${"ą".repeat(1900)}.R`;
    expect((await mara.post(`/submissions/${id}/marks`, { path: long, sha256: "", seen: true })).http).toBe(200);
    expect((await mark(false)).data.marks).toMatchObject([{ path: long }]);
  });

  test("shows who is looking until they close it or time has passed", async () => {
    const id = await submitted("watched");
    const looking = async () =>
      (await ren.get(`/submissions/${id}/review`)).data.release.looking.map(({ login }: { login: string }) => login);
    expect((await mara.post(`/submissions/${id}/looking`, {})).data).toEqual({ looking: [], lookingSeconds: 120 });
    expect(await looking()).toEqual(["mara"]);
    now = new Date(now.getTime() + 121_000);
    expect(await looking()).toEqual([]);
    await mara.post(`/submissions/${id}/looking`, {});
    await mara.post(`/submissions/${id}/looking`, { ended: true });
    expect(await looking()).toEqual([]);
    const [item] = (await mara.get("/reviews?search=watched")).data.content;
    expect(item).toMatchObject({ id, opened: true });
  });

  test("assigns a release only to users who may decide on it", async () => {
    const id = await submitted("assigned");
    const assign = (userId: number | null) => admin.post(`/submissions/${id}/assignment`, { userId });
    expect((await assign(maraId)).data).toMatchObject({ assignee: { login: "mara" } });
    expect((await mara.get(`/submissions/${id}/review`)).data.release.assignee.login).toBe("mara");
    const submitter = (await ren.get("/users/me")).data.id;
    expect(await queueOf(mara, "assignedToMe=true")).toEqual([id]);
    expect(await queueOf(mara, "assignedToMe=false")).not.toContain(id);
    expect(await queueOf(admin, "assignedToMe=true")).toEqual([]);
    for (const userId of [submitter, 999_999])
      expect((await assign(userId)).data).toEqual(["review.user.may.not.decide"]);
    expect((await assign(null)).data).toEqual({ assignee: null });
    const { mayDecide } = (await ren.get(`/submissions/${id}/review`)).data;
    expect(mayDecide.map(({ login }: { login: string }) => login)).toEqual(["mara", "admin"]);
  });

  test("takes an assignment from every file of the release", async () => {
    const ids: number[] = [];
    for (const file of [await smallSdist("shared", "1.0"), await smallWheel("shared", "1.0")]) {
      ids.push((await ren.upload("Python", file, { repository: "south" })).data.id);
      // As after an upload that replaced one of them: only the other is assigned.
      if (ids.length === 1) await admin.post(`/submissions/${ids[0]}/assignment`, { userId: it.admin.id });
    }
    const [source = 0, wheel = 0] = ids;
    expect((await admin.get(`/submissions/${wheel}/review`)).data.release.assignee.login).toBe("admin");
    expect((await admin.post(`/submissions/${wheel}/assignment`, { userId: null })).data).toEqual({ assignee: null });
    for (const id of [source, wheel])
      expect((await admin.get(`/submissions/${id}/review`)).data.release.assignee).toBeNull();
  });

  test("keeps the assessment with the release when it has been decided", async () => {
    const id = await submitted("assessed");
    const path = `/submissions/${id}/assessment`;
    expect((await mara.post(path, { category: "severe" })).http).toBe(400);
    expect((await ren.post(path, { category: "low" })).http).toBe(403);
    await mara.post(path, { category: "high", comment: "native code" });
    await decide(mara, id, "ACCEPTED");
    expect((await ren.get(`/submissions/${id}/review`)).data.assessment).toMatchObject({
      category: "high",
      comment: "native code",
      user: { login: "mara" },
    });
    expect((await mara.post(path, { category: null })).data).toEqual({ assessment: null });
  });

  test("shows the stored summary of a comparison, the worst of its files first", async () => {
    const calm = await submitted("sea.calm");
    const wild = await submitted("sea.wild");
    // Their own summaries are stored first.
    const levels = async () =>
      (await mara.get("/reviews?search=sea.")).data.content.map((one: { level: string | null }) => one.level);
    await expect.poll(levels, { timeout: 60_000 }).not.toContain(null);
    const counts = { info: 1, notice: 0, warning: 2, danger: 0 };
    for (const [id, level] of [
      [calm, "clear"],
      [wild, "danger"],
    ])
      await sql`
        insert into review_summaries
          (submission_id, level, counts, lines_added, lines_removed, incomplete, made_on)
        values (${id}, ${level}, ${JSON.stringify(counts)}, 12, 3, false, ${now})
        on conflict (submission_id) do update set level = excluded.level, counts = excluded.counts,
          lines_added = excluded.lines_added, lines_removed = excluded.lines_removed`.execute(it.deps.db);
    const found = (await mara.get("/reviews?search=sea.&level=clear,danger&sort=risk,desc")).data.content;
    expect(found).toMatchObject([
      {
        id: wild,
        level: "danger",
        files: [{ submissionId: wild, level: "danger" }],
        signals: counts,
        linesAdded: 12,
        linesRemoved: 3,
        incomplete: false,
      },
      { id: calm, level: "clear" },
    ]);
  });

  test("has the comparison and the impact of the file in one document with everything else", async () => {
    const before = await submitted("whole", { "R/lots.R": "lots <- function(x) x\n" });
    expect((await decide(mara, before, "ACCEPTED")).http).toBe(200);
    const id = await submitted("whole", { "R/lots.R": "lots <- function(x) system(x)\n" }, "1.1");
    const compared = async (query = "") => {
      const read = async () => (await mara.get(`/submissions/${id}/review${query}`)).data;
      // What is not stored yet is made for the reader, who asks again.
      await expect.poll(async () => (await read()).comparison, { timeout: 60_000 }).not.toBeNull();
      return read();
    };
    const data = await compared();
    const changed = { path: "R/lots.R", change: "changed" };
    expect(data.comparison.files).toContainEqual(expect.objectContaining(changed));
    expect(data.comparison.indicators).toMatchObject(data.indicators);
    expect(data.impact.installs).toMatchObject([{ before: "1.0", after: "1.1" }]);
    const alone = await compared("?base=none");
    expect(alone.comparison.interface.result).toBe("new");
    expect((await mara.get(`/submissions/${id}/review?base=999999`)).messageCode).toBe("package.notfound");
    expect((await mara.get(`/submissions/${id}/review?base=x`)).http).toBe(400);
  });

  test("is closed to everyone else, also in repositories that they cannot read", async () => {
    const id = await submitted("secret");
    for (const path of ["review", "comments", "checks"])
      expect((await stranger.get(`/submissions/${id}/${path}`)).http).toBe(403);
    expect((await stranger.post(`/submissions/${id}/comments`, { text: "x" })).http).toBe(403);
    expect((await it.anonymous.get(`/submissions/${id}/review`)).http).toBe(401);
    expect(await queueOf(stranger, "")).toEqual([]);
  });
});

describe("a release that several users share", () => {
  const windowsWheel = async (name: string) => {
    const wheel = await smallWheel(name, "1.0");
    return { ...wheel, fileName: wheel.fileName.replace("py3-none-any", "py3-none-win_amd64") };
  };
  const upload = async (client: Client, file: Awaited<ReturnType<typeof smallSdist>>): Promise<number> => {
    const answer = await client.upload("Python", file, { repository: "south" });
    expect([answer.http, answer.data.state]).toEqual([201, "WAITING"]);
    return answer.data.id;
  };
  const fileIdsOf = async (client: Client, id: number): Promise<number[]> =>
    (await client.get(`/submissions/${id}/review`)).data.release.files.map(
      ({ submissionId }: { submissionId: number }) => submissionId,
    );

  test("shows a submitter nothing about the files of others", async () => {
    const pia = await it.as(await it.given.person("pia"));
    const source = await upload(ren, await smallSdist("skerry", "1.0"));
    await ren.post(`/submissions/${source}/comments`, { text: "for reviewers" });
    await ren.post(`/submissions/${source}/checks`, { name: "pytest", state: "passed" });
    const wheel = await upload(pia, await smallWheel("skerry", "1.0"));

    expect((await pia.get(`/submissions/${source}/review`)).http).toBe(403);
    const seen = (await pia.get(`/submissions/${wheel}/review`)).data;
    expect(seen).toMatchObject({ release: { id: wheel, comments: 0 }, comments: [], checks: { checks: [] } });
    expect(seen.release.files).toMatchObject([{ submissionId: wheel }]);
    expect(seen.release.files).toHaveLength(1);
    expect((await pia.get(`/submissions/${wheel}/comments`)).data.comments).toEqual([]);
    expect((await pia.post(`/submissions/${wheel}/looking`, {})).data.looking).toEqual([]);
    expect((await ren.get(`/submissions/${source}/review`)).data.release.looking).toEqual([]);
    expect((await ren.get(`/submissions/${source}/comments`)).data.comments).toHaveLength(1);
    expect(await fileIdsOf(ren, source)).toEqual([source]);
    expect(await fileIdsOf(admin, wheel)).toEqual([source, wheel]);

    expect((await decide(admin, source, "CHANGES")).http).toBe(200);
    const [own] = (await pia.get("/reviews?mine=true&search=skerry")).data.content;
    expect([own.id, own.files.length]).toEqual([wheel, 1]);
  });

  test("waits for changes until the user who was asked, or one who may edit the package, has answered", async () => {
    const guest = await it.given.person("guest");
    const visitor = await it.as(guest);
    const source = await upload(ren, await smallSdist("fjord", "1.0"));
    const wheel = await upload(visitor, await smallWheel("fjord", "1.0"));
    const asked = async (id: number) => (await admin.get(`/submissions/${id}/review`)).data.release.changesAsked;
    const waits = async () => (await admin.get("/reviews?mine=true&search=fjord")).data.content.length;

    expect((await decide(admin, source, "CHANGES", { files: [source] })).http).toBe(200);
    await upload(visitor, await windowsWheel("fjord"));
    expect([await asked(source), await waits()]).toEqual([true, 0]);
    const answered = await upload(ren, await smallSdist("fjord", "1.0", { Summary: "Changed." }));
    expect([await asked(answered), await waits()]).toEqual([false, 1]);

    expect((await decide(admin, answered, "CHANGES")).http).toBe(200);
    const again = await upload(ren, await smallSdist("fjord", "1.0", { Summary: "Again." }));
    // The wheel still waits for its own submitter.
    expect([await asked(again), await waits()]).toEqual([true, 0]);
    expect(await queueOf(visitor)).toContain(wheel);
    await upload(visitor, await smallWheel("fjord", "1.0", { Summary: "Changed." }));
    expect([await asked(again), await waits()]).toEqual([false, 1]);
    expect(await queueOf(visitor)).toEqual([]);
  });

  test("is decided as a whole or not at all", async () => {
    const keeper = await it.given.person("keeper", "packagemaintainer");
    const { data } = await admin.get("/repositories?name=south");
    await it.given.packageMaintainer(keeper, { id: data.content[0].id }, "tern");
    // Still responsible, but an upload of theirs waits now.
    await loseRole(keeper);
    const demoted = await it.as(keeper);
    const source = await upload(ren, await smallSdist("tern", "1.0"));
    const wheel = await upload(demoted, await smallWheel("tern", "1.0"));
    expect((await decide(demoted, source, "ACCEPTED")).http).toBe(403);
    for (const id of [source, wheel]) expect((await admin.get(`/submissions/${id}`)).data.state).toBe("WAITING");
    expect((await decide(demoted, source, "ACCEPTED", { files: [source] })).http).toBe(200);
    expect((await admin.get(`/submissions/${wheel}`)).data.state).toBe("WAITING");
  });
});

test("a comment is never lost while its file is uploaded again", async () => {
  for (let round = 0; round < 6; round += 1) {
    const id = await submitted(`discussed${round}`);
    const other = { "R/lots.R": `lots <- function(x) -${round}\n` };
    const file = await smallRPackage(`discussed${round}`, "1.0", {}, other);
    const upload = ren.upload("R", file, { repository: "north", replace: "true" });
    let uploaded = false;
    const added: number[] = [];
    const comment = async () => {
      while (!uploaded) {
        const { http, messageCode, data } = await mara.post(`/submissions/${id}/comments`, { text: "What for?" });
        if (http === 201) added.push(data.id);
        else expect(messageCode).toBe("submission.notfound");
      }
    };
    const commenting = Promise.all(Array.from({ length: 4 }, comment));
    const { data } = await upload;
    uploaded = true;
    await commenting;
    expect(data.id).not.toBe(id);
    const kept = (await mara.get(`/submissions/${data.id}/comments`)).data.comments;
    expect(added.length).toBeGreaterThan(0);
    expect(kept.map((one: { id: number }) => one.id)).toEqual(expect.arrayContaining(added));
  }
});

describe("concurrent decisions", () => {
  test("of two deciders exactly one wins, and the other learns that it is decided", async () => {
    for (let round = 0; round < 8; round += 1) {
      const id = await submitted(`race${round}`);
      const [accepting, rejecting] = await Promise.all([decide(mara, id, "ACCEPTED"), decide(admin, id, "REJECTED")]);
      const [winner, loser] = accepting.http === 200 ? [accepting, rejecting] : [rejecting, accepting];
      expect([winner.http, loser.http]).toEqual([200, 422]);
      expect(loser.data).toEqual(violationText("could.not.change.submission"));
      const { state, decisions } = (await mara.get(`/submissions/${id}/review`)).data;
      expect(state).toBe(winner === accepting ? "ACCEPTED" : "REJECTED");
      expect(decisions).toHaveLength(1);
    }
  });

  test("on a file that its submitter replaces or cancels take effect on what was decided, or not at all", async () => {
    for (let round = 0; round < 4; round += 1) {
      const id = await submitted(`swap${round}`);
      await decide(mara, id, "CHANGES");
      const other = { "R/lots.R": `lots <- function(round) ${round}\n` };
      const [decided, uploaded] = await Promise.all([
        decide(mara, id, "ACCEPTED"),
        ren.upload("R", await smallRPackage(`swap${round}`, "1.0", {}, other), { repository: "north" }),
      ]);
      if (decided.http === 200) expect(uploaded.messageCode).toBe("warning.package.duplicate");
      else {
        expect(decided.messageCode).toBe("submission.notfound");
        expect(uploaded.data).toMatchObject({ state: "WAITING" });
      }
    }
    const id = await submitted("cancelled");
    const [decided, cancelled] = await Promise.all([
      decide(mara, id, "ACCEPTED"),
      ren.patch(`/r/submissions/${id}`, [replace("/state", "CANCELLED")]),
    ]);
    expect([decided.http, cancelled.http].sort()).toEqual([200, 422]);
  });
});

describe("a review", () => {
  test.each([
    ["by role", "vault"],
    ["by groups alone", "cellar"],
  ])("names no decider who may not read a repository that is restricted %s, and assigns none", async (_by, name) => {
    const repository = await it.given.repository("Python", { name });
    const login = `warden of the ${name}`;
    const warden = await it.given.person(login, "packagemaintainer");
    await it.given.packageMaintainer(warden, repository, "ledger");
    const submitter = await it.given.person(`submitter to the ${name}`, "packagemaintainer");
    await it.given.packageMaintainer(submitter, repository, "journal");
    const outside = await it.as(submitter);
    const { data } = await outside.upload("Python", await smallSdist("ledger", "1.0"), { repository: name });
    const deciders = async () =>
      (await outside.get(`/submissions/${data.id}/review`)).data.mayDecide.map(({ login }: { login: string }) => login);
    const assign = () => admin.post(`/submissions/${data.id}/assignment`, { userId: warden.id });
    expect(await deciders()).toEqual([login, "admin"]);
    expect((await assign()).http).toBe(200);

    // Still responsible, but with a role that does not open the repository.
    await loseRole(warden);
    expect((await decide(await it.as(warden), data.id, "ACCEPTED")).messageCode).toBe("submission.notfound");
    expect(await deciders()).toEqual(["admin"]);
    expect((await assign()).data).toEqual(["review.user.may.not.decide"]);
  });

  test("names exactly those as deciders who may decide", async () => {
    const id = await submitted("deciders");
    const { mayDecide } = (await ren.get(`/submissions/${id}/review`)).data;
    const named = mayDecide.map(({ login }: { login: string }) => login);
    const everyone = await it.deps.db.selectFrom("users").select(["id", "login"]).execute();
    for (const { id: userId, login } of everyone) {
      const answer = await decide(await it.as({ id: userId }), id, "ACCEPTED", { files: [0] });
      expect([login, answer.http]).toEqual([login, named.includes(login) ? 422 : 403]);
    }
  });

  test("does not show what is in a package that was published and deleted", async () => {
    const id = await submitted("withdrawn");
    await decide(mara, id, "ACCEPTED");
    const paths = ["inspection", "comparison", "file?path=R/lots.R", "comparison/file?path=R/lots.R"];
    for (const path of paths) expect((await mara.get(`/submissions/${id}/${path}`)).http).toBe(200);
    const { data } = await mara.get(`/r/submissions/${id}`);
    await mara.patch(`/r/packages/${data.packageBag.id}`, [replace("/deleted", true)]);
    for (const path of paths)
      expect((await mara.get(`/submissions/${id}/${path}`)).messageCode).toBe("package.notfound");
    expect((await mara.get(`/submissions/${id}/review`)).data).toMatchObject({ comparison: null, impact: null });

    const rejected = await submitted("unpublished");
    await decide(mara, rejected, "REJECTED");
    expect((await ren.get(`/submissions/${rejected}/comparison/file?path=R/lots.R`)).http).toBe(200);
  });

  test("compares only with versions of the same package", async () => {
    const other = await submitted("another");
    const { data } = await mara.get(`/r/submissions/${other}`);
    const id = await submitted("alone");
    expect((await mara.get(`/submissions/${id}/comparison?base=${data.packageBag.id}`)).messageCode).toBe(
      "package.notfound",
    );
  });

  test("leaves the queue when its package or its repository is deleted, and nothing of it survives a purge", async () => {
    const repository = await it.given.repository("R", { name: "passing" });
    const { data } = await ren.upload("R", await smallRPackage("ferry", "1.0", {}, files), { repository: "passing" });
    const comment = await ren.post(`/submissions/${data.id}/comments`, { text: "Fine?" });
    await admin.post(`/submissions/${data.id}/marks`, { path: "R/lots.R", sha256: "a".repeat(64), seen: true });
    await admin.post(`/submissions/${data.id}/assessment`, { category: "low" });
    await admin.post(`/submissions/${data.id}/looking`, {});
    await admin.post(`/submissions/${data.id}/checks`, { name: "lint", state: "passed" });
    await decide(admin, data.id, "CHANGES", { reason: "Please." });
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/deleted", true)]);
    expect((await admin.get("/reviews?search=ferry")).data.content).toEqual([]);
    for (const decision of ["ACCEPTED", "CHANGES"])
      expect((await decide(admin, data.id, decision)).messageCode).toBe("editing.deleted.resource.not.possible");
    expect((await admin.delete(`/r/submissions/${data.id}`)).http).toBe(204);
    expect((await ren.get(`/review-comments/${comment.data.id}`)).messageCode).toBe("review.comment.notfound");
    for (const table of reviewTables) {
      const { rows } = await sql`select from ${sql.table(table)} where submission_id = ${data.id}`.execute(it.deps.db);
      expect([table, rows.length]).toEqual([table, 0]);
    }
  });
});

describe("checks", () => {
  test("keep the history of each name, with at most 20 results", async () => {
    const id = await submitted("checked");
    const report = (body: object) => ren.post(`/submissions/${id}/checks`, body);
    for (let n = 0; n < 25; n += 1) expect((await report({ name: "tests", state: "running" })).http).toBe(201);
    const annotation = { file: "R/lots.R", line: 3, level: "warning", message: "slow" };
    const link = "https://ci.example.org/17";
    const { data } = await report({
      name: "tests",
      state: "failed",
      summary: "1 of 9",
      link,
      annotations: [annotation],
    });
    expect(data.checks).toMatchObject([
      { name: "tests", state: "failed", summary: "1 of 9", link, annotations: [annotation], user: { login: "ren" } },
    ]);
    expect(data.checks[0].history).toHaveLength(19);
    await report({ name: "R CMD check", state: "passed" });
    const [item] = (await mara.get("/reviews?search=checked")).data.content;
    expect(item.checks).toEqual({ passed: 1, failed: 1, running: 0 });
  });

  test("are refused when they are not what they should be", async () => {
    const id = await submitted("unchecked");
    const report = (body: object) => ren.post(`/submissions/${id}/checks`, { name: "a", state: "passed", ...body });
    for (const body of [
      { state: "excellent" },
      { link: "javascript:alert(1)" },
      { link: "file:///etc/passwd" },
      { annotations: Array.from({ length: 21 }, () => ({ file: "a", level: "notice", message: "x" })) },
      { annotations: [{ file: "a", level: "fatal", message: "x" }] },
    ])
      expect((await report(body)).http).toBe(400);
    for (const name of ["", "  ", "a\nb", "a\u202eb", "x".repeat(256)])
      expect((await report({ name })).data).toEqual(["invalid.check.name"]);
    await it.deps.db
      .insertInto("review_checks")
      .values(
        Array.from({ length: 100 }, (_, n) => ({
          submission_id: id,
          name: `check ${n}`,
          state: "passed" as const,
          summary: "",
          annotations: "[]",
          user_id: maraId,
          reported_on: now,
        })),
      )
      .execute();
    expect((await report({})).data).toEqual(["too.many.checks"]);
    expect((await report({ name: "check 7" })).http).toBe(201);
    // All together are read at once.
    const annotations = Array.from({ length: 20 }, () => ({
      file: "R/lots.R",
      level: "notice",
      message: "x".repeat(2_000),
    }));
    const long = { summary: "y".repeat(10_000), annotations };
    for (let n = 0; n < 19; n += 1) expect((await report({ name: `check ${n}`, ...long })).http).toBe(201);
    expect((await report({ name: "check 19", ...long })).data).toEqual(["too.many.checks"]);
    expect((await report({ name: "check 18", ...long })).http).toBe(201);
  });

  test("that a repository requires make accepting take a reason until they have passed", async () => {
    const changed = await admin.patch(`/r/repositories/${north.id}`, [
      { op: "add", path: "/requiredChecks", value: ["R CMD check"] },
    ]);
    expect(changed).toMatchObject({ http: 200, data: { requiredChecks: ["R CMD check"] } });
    const bad = [{ op: "add", path: "/requiredChecks", value: [" "] }];
    expect((await admin.patch(`/r/repositories/${north.id}`, bad)).data).toEqual(["invalid.check.name"]);

    const first = await submitted("required");
    expect((await decide(mara, first, "ACCEPTED", { reason: " " })).data).toEqual(["submission.reason.required"]);
    const patch = await mara.patch(`/r/submissions/${first}`, [replace("/state", "ACCEPTED")]);
    expect(patch.data).toEqual(["submission.reason.required"]);
    await ren.post(`/submissions/${first}/checks`, { name: "R CMD check", state: "failed" });
    expect((await mara.get(`/submissions/${first}/review`)).data.checks.missing).toEqual(["R CMD check"]);
    const live = await mara.get(`/submissions/${first}/review?findings=false`);
    expect(live.data).toMatchObject({ state: "WAITING", comparison: null, impact: null, indicators: null });
    expect(live.data.checks.missing).toEqual(["R CMD check"]);
    const forced = await decide(mara, first, "ACCEPTED", { reason: "known failure" });
    expect(forced.data.decisions).toMatchObject([{ passedOver: ["R CMD check"], reason: "known failure" }]);

    const second = await submitted("required", files, "1.1");
    await ren.post(`/submissions/${second}/checks`, { name: "R CMD check", state: "passed" });
    expect((await decide(mara, second, "ACCEPTED")).http).toBe(200);
    const third = await submitted("required", files, "1.2");
    expect((await decide(mara, third, "REJECTED")).http).toBe(200);
    const none = [{ op: "replace", path: "/requiredChecks", value: [] }];
    expect((await admin.patch(`/r/repositories/${north.id}`, none)).http).toBe(200);
  });
});
