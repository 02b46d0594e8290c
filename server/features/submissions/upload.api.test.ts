import { createHash, randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { request as httpRequest } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { violationText } from "@packhouse/contract/violations";
import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { buildBroken } from "@packhouse/fixtures/build-broken";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../../http/actor.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist, smallWheel } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";
import type { Repository } from "../repositories/store.ts";

let it: TestPackhouse;
let admin: Client;
let uploader: Client;
let stranger: Client;
let uploading: Actor;
let repositories: Record<"R" | "Python", Repository>;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  uploading = await it.given.person("uploader");
  uploader = await it.as(uploading);
  stranger = await it.as(await it.given.person("stranger"));
  repositories = {
    R: await it.given.repository("R", { name: "north" }),
    Python: await it.given.repository("Python", { name: "pynorth" }),
  };
});
afterAll(() => it.close());

const inNorth = { repository: "north" };

async function rowCounts(): Promise<unknown> {
  const count = async (table: "packages" | "submissions" | "objects" | "events") =>
    (
      await it.deps.db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("rows"))
        .executeTakeFirstOrThrow()
    ).rows;
  return [await count("packages"), await count("submissions"), await count("objects"), await count("events")];
}

describe("an archive that is not a package, damaged or hostile", () => {
  test("gets its code and leaves neither bytes nor rows", async () => {
    const before = await rowCounts();
    const wrong: unknown[] = [];
    for (const [index, { technology, fileName, bytes, code }] of (await buildBroken()).entries()) {
      // `formats/` refuses all of them in each run.
      if (!isLong && index % 10 > 0) continue;
      const answer = await uploader.upload(
        technology,
        { fileName, bytes },
        { repository: repositories[technology].name },
      );
      const codes = JSON.stringify(answer.data);
      const kept = await it.storage.has(createHash("sha256").update(bytes).digest("hex"));
      if (answer.http !== 422 || answer.messageCode !== "error.validation" || !codes.includes(code) || kept)
        wrong.push({ fileName, code, http: answer.http, codes, kept });
    }
    expect(wrong).toEqual([]);
    expect(await rowCounts()).toEqual(before);
  }, 120_000);

  test.each([
    ["R", "DESCRIPTION", /^read\.r\.package\.description\.exception: line 3 /],
    ["Python", "PKG-INFO", /^read\.python\.pkg\.info\.exception: .*python -m build --sdist/],
  ] as const)(
    "of %s reports, in addition to the code, what exactly is wrong with its %s",
    async (technology, _, detail) => {
      const entries = { R: "pkg/DESCRIPTION", Python: "pkg-1.0/setup.py" } as const;
      const bytes = gzip(
        await tar([{ name: entries[technology], bytes: Buffer.from("Package: pkg\n\nVersion: 1.0\n") }], new Date(0)),
      );
      const fileName = { R: "pkg_1.0.tar.gz", Python: "pkg-1.0.tar.gz" }[technology];
      const answer = await uploader.upload(
        technology,
        { fileName, bytes },
        { repository: repositories[technology].name },
      );
      expect([answer.http, answer.data]).toEqual([
        422,
        [expect.stringMatching(/^[a-z.]+$/), expect.stringMatching(detail)],
      ]);
    },
  );

  test.each(["harbor-1.0.zip", "harbor-1.0.tar.xz", "harbor-1.0-py3.12.egg"])(
    "such as %s gets a hint which command to run",
    async (fileName) => {
      const answer = await uploader.upload("Python", { fileName, bytes: Buffer.from("PK") }, { repository: "pynorth" });
      expect([answer.http, answer.data[0]]).toEqual([422, "unsupported.package.format"]);
      expect(answer.data[1]).toContain("python -m build");
    },
  );

  test("is refused before it is read when its type or name is invalid", async () => {
    const bytes = new TextEncoder().encode("<html>");
    const answer = await uploader.upload("R", { fileName: "page.html", bytes, type: "text/html" }, inNorth);
    expect([answer.http, answer.data]).toEqual([422, ["invalid.contenttype", "invalid.filename"]]);
  });

  test("gets a clear answer without a file, without a repository and with an unknown repository", async () => {
    const file = await smallRPackage("lonely", "1.0.0");
    expect((await uploader.upload("R", file, {})).messageCode).toBe("bad.request");
    expect((await uploader.upload("R", file, { repository: "nowhere" })).messageCode).toBe("repository.notfound");
    expect((await uploader.upload("R", file, { repository: "pynorth" })).messageCode).toBe("repository.notfound");
  });
});

describe("an upload", () => {
  test("waits for review when its uploader may not accept", async () => {
    const answer = await uploader.upload("R", await smallRPackage("gridwalk", "0.3.1"), {
      ...inNorth,
      changes: "first try",
    });
    expect([answer.http, answer.data.state, answer.data.approver, answer.data.changes]).toEqual([
      201,
      "WAITING",
      null,
      "first try",
    ]);
    expect(answer.data.packageBag).toMatchObject({ name: "gridwalk", version: "0.3.1", active: false });
    expect(await (await fetch(`${it.address}/repo/north/src/contrib/PACKAGES`)).text()).not.toContain("gridwalk");
  });

  test("is accepted immediately when they may, and published with it", async () => {
    const answer = await admin.upload("Python", await smallWheel("tidewheel", "1.0"), { repository: "pynorth" });
    expect([answer.http, answer.data.state]).toEqual([201, "ACCEPTED"]);
    expect(await (await fetch(`${it.address}/repo/pynorth/simple/tidewheel/`)).text()).toContain("tidewheel-1.0");
  });

  test("takes a limited number of statements, together with its publication", async () => {
    let version = 0;
    const upload = async () => admin.upload("R", await smallRPackage("counted", `1.${++version}`), inNorth);
    await expectStatements(it, upload, 20);
  });

  test("without License, Title, Description and Version is refused with every code in one answer", async () => {
    const text = "Package: bare\nAuthor: Ada Fern\n";
    const bytes = gzip(await tar([{ name: "bare/DESCRIPTION", bytes: Buffer.from(text) }], new Date(0)));
    const answer = await uploader.upload("R", { fileName: "bare_1.0.tar.gz", bytes }, inNorth);
    expect([answer.http, answer.data]).toEqual([
      422,
      ['"empty.description", "empty.license", "empty.title", "empty.version"'],
    ]);
  });

  test("of a file that a browser named tidepool_0.9.0 (1).tar.gz is tidepool 0.9.0, published under its clean name", async () => {
    const { bytes } = await smallRPackage("tidepool", "0.9.0");
    const answer = await admin.upload("R", { fileName: "tidepool_0.9.0 (1).tar.gz", bytes }, inNorth);
    expect([answer.http, answer.data.packageBag]).toMatchObject([201, { name: "tidepool", version: "0.9.0" }]);
    expect((await fetch(`${it.address}/repo/north/src/contrib/tidepool_0.9.0.tar.gz`)).status).toBe(200);
  });

  test("of 1.0.1 where 1.0-1 exists is a duplicate: it stores nothing and shows the existing one", async () => {
    const file = await smallRPackage("twice", "1.0-1");
    const first = await uploader.upload("R", file, inNorth);
    const again = await uploader.upload("R", await smallRPackage("twice", "1.0.1", { Title: "Other" }), inNorth);
    expect([again.http, again.status, again.messageCode, again.data.id]).toEqual([
      200,
      "WARNING",
      "warning.package.duplicate",
      first.data.id,
    ]);
  });

  test.each([
    ["harbor_tools-1.0.tar.gz next to harbor-tools-1.0.tar.gz", ["harbor-tools", "1.0"], ["harbor_tools", "1.0"]],
    ["1.0 after 1.0.0", ["zeros", "1.0.0"], ["zeros", "1.0"]],
    ["1.0b2 after 1.0-beta.2", ["betas", "1.0-beta.2"], ["betas", "1.0b2"]],
  ] as const)("of %s is a duplicate, since these are two sdists of one version", async (_, first, second) => {
    const send = async ([name, version]: readonly [string, string]) =>
      admin.upload(
        "Python",
        { ...(await smallSdist(name, version)), fileName: `${name}-${version}.tar.gz` },
        { repository: "pynorth" },
      );
    const stored = await send(first);
    expect([stored.http, stored.data.packageBag.version]).toEqual([201, first[1]]);
    expect(await send(second)).toMatchObject({
      http: 200,
      messageCode: "warning.package.duplicate",
      data: { id: stored.data.id },
    });
  });

  test("of one version by two users at the same time is stored once, and a duplicate for the other", async () => {
    const file = await smallRPackage("racer", "1.0.0");
    const answers = await Promise.all([uploader, stranger, admin].map((person) => person.upload("R", file, inNorth)));
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 200, 201]);
    const duplicates = answers.filter(({ http }) => http === 200).map(({ messageCode }) => messageCode);
    expect(duplicates).toEqual(["warning.package.duplicate", "warning.package.duplicate"]);
  });

  test("that its client aborts midway leaves nothing", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "packhouse-broken-off-"));
    const own = await startPackhouse({ dataDir });
    try {
      const { name } = await own.given.repository("R");
      const { authorization } = await own.as(own.admin);
      const staged = () => readdir(join(dataDir, "storage/incoming"));
      const request = httpRequest(`${own.address}/api/v2/manager/r/submissions?repository=${name}`, {
        method: "POST",
        headers: { authorization, "content-type": "multipart/form-data; boundary=line", "content-length": "10000000" },
      });
      const brokenOff = new Promise((done) => request.once("error", done));
      request.write('--line\r\ncontent-disposition: form-data; name="file"; filename="half_1.0.tar.gz"\r\n\r\n');
      request.write(randomBytes(2_000_000));
      await expect.poll(staged).toHaveLength(1);
      request.destroy(new Error("the network is gone"));
      await brokenOff;
      await expect.poll(staged).toEqual([]);
      expect(await own.deps.db.selectFrom("objects").select("digest").execute()).toEqual([]);
      expect((await own.anonymous.request("/actuator/health")).status).toBe(200);
    } finally {
      await own.close();
      await rm(dataDir, { recursive: true, force: true });
    }
  });

  test("to a deleted repository finds no repository", async () => {
    const { id, name } = await it.given.repository("R");
    await admin.patch(`/r/repositories/${id}`, [replace("/deleted", true)]);
    const answer = await uploader.upload("R", await smallRPackage("late", "1.0"), { repository: name });
    expect([answer.http, answer.messageCode]).toEqual([404, "repository.notfound"]);
  });

  test("leaves no live package behind when its repository is deleted at the same time", async () => {
    for (let round = 0; round < 5; round += 1) {
      const { id, name } = await it.given.repository("R");
      const waiting = await uploader.upload("R", await smallRPackage("waits", "1.0"), { repository: name });
      const [accepted, sent, deleted] = await Promise.all([
        admin.patch(`/r/submissions/${waiting.data.id}`, [replace("/state", "ACCEPTED")]),
        uploader.upload("R", await smallRPackage("hurries", "1.0"), { repository: name }),
        admin.patch(`/r/repositories/${id}`, [replace("/deleted", true)]),
      ]);
      expect(deleted.http).toBe(200);
      expect([200, 405]).toContain(accepted.http);
      expect([201, 404]).toContain(sent.http);
      const { data } = await admin.get(`/r/packages?repository=${name}&deleted=false`);
      expect(data.content).toEqual([]);
    }
  });

  test("that replaces takes effect when it is accepted, not before", async () => {
    const old = await admin.upload("R", await smallRPackage("replaced", "1.0.0", { Title: "Old" }), inNorth);
    const next = await uploader.upload("R", await smallRPackage("replaced", "1.0.0", { Title: "New" }), {
      ...inNorth,
      replace: "true",
    });
    expect([next.data.state, next.data.replaces]).toEqual(["WAITING", old.data.packageBag.id]);
    expect((await admin.get(`/r/packages/${old.data.packageBag.id}`)).data.title).toBe("Old");
    expect((await admin.patch(`/r/submissions/${next.data.id}`, [replace("/state", "accepted")])).http).toBe(200);
    expect((await admin.get(`/r/packages/${old.data.packageBag.id}`)).messageCode).toBe("package.notfound");
    expect((await admin.get("/packages?search=replaced")).data.content).toHaveLength(1);
  });
});

describe("a waiting submission", () => {
  const waiting = async (name: string) =>
    (await uploader.upload("R", await smallRPackage(name, "1.0.0"), inNorth)).data.id as number;
  const decide = (person: Client, id: number, state: string) =>
    person.patch(`/r/submissions/${id}`, [replace("/state", state)]);

  test("is neither accepted nor rejected by its submitter, nor by a stranger", async () => {
    const id = await waiting("mine");
    expect((await decide(uploader, id, "ACCEPTED")).http).toBe(403);
    expect((await decide(uploader, id, "REJECTED")).http).toBe(403);
    expect((await decide(stranger, id, "ACCEPTED")).http).toBe(403);
    expect((await decide(stranger, id, "CANCELLED")).http).toBe(403);
  });

  test("is added to the index when accepted, with one event", async () => {
    const id = await waiting("welcome");
    const answer = await decide(admin, id, "ACCEPTED");
    expect([answer.http, answer.data.state, answer.data.packageBag.active]).toEqual([200, "ACCEPTED", true]);
    expect(await (await fetch(`${it.address}/repo/north/src/contrib/PACKAGES`)).text()).toContain("Package: welcome\n");
    const { data } = await admin.get("/events?size=1");
    expect(data.content[0]).toMatchObject({ eventType: "update", resourceType: "SUBMISSION", resourceId: id });
    expect(data.content[0].changedProperties).toContainEqual({
      property: "state",
      valueBefore: "waiting",
      valueAfter: "accepted",
    });
  });

  test("can be canceled by its submitter, and then not changed by anyone", async () => {
    const id = await waiting("withdrawn");
    expect((await decide(uploader, id, "cancelled")).data.state).toBe("CANCELLED");
    expect((await decide(admin, id, "ACCEPTED")).messageCode).toBe("error.malformed.patch");
  });

  test("gets one decision when users accept, accept, reject and cancel concurrently; the others are refused", async () => {
    const id = await waiting("contested");
    const second = await it.as(await it.given.person("second-approver", "admin"));
    const answers = await Promise.all([
      decide(admin, id, "ACCEPTED"),
      decide(second, id, "ACCEPTED"),
      decide(second, id, "REJECTED"),
      decide(uploader, id, "CANCELLED"),
    ]);
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 422, 422, 422]);
    for (const { data } of answers.filter(({ http }) => http === 422))
      expect(data).toBe(violationText("could.not.change.submission"));
    const { data } = await admin.get("/events?resourceType=submission&eventType=update&size=100");
    expect(data.content.filter((event: { resourceId: number }) => event.resourceId === id)).toHaveLength(1);
  });

  test("of a repository that has since been deleted cannot be accepted", async () => {
    const { id, name } = await it.given.repository("R");
    const { data } = await uploader.upload("R", await smallRPackage("orphan", "1.0"), { repository: name });
    await admin.patch(`/r/repositories/${id}`, [replace("/deleted", true)]);
    for (const [person, state] of [
      [admin, "ACCEPTED"],
      [admin, "REJECTED"],
      [uploader, "CANCELLED"],
    ] as const)
      expect((await decide(person, data.id, state)).messageCode).toBe("editing.deleted.resource.not.possible");
    expect((await admin.get(`/submissions/${data.id}`)).data).toMatchObject({
      state: "WAITING",
      packageBag: { active: false, deleted: true },
    });
  });

  test("offers its file to its submitter and to approvers only", async () => {
    const { data } = await uploader.upload("R", await smallRPackage("secretive", "1.0.0"), inNorth);
    const path = `/api/v2/manager/r/packages/${data.packageBag.id}/download/secretive_1.0.0.tar.gz`;
    expect((await stranger.request(path)).status).toBe(403);
    expect((await uploader.request(path)).status).toBe(200);
    expect((await admin.request(path)).headers.get("content-disposition")).toBe(
      'attachment; filename="secretive_1.0.0.tar.gz"',
    );
  });
});

test("a saved link to a file answers 404 to uploader and administrators once the package is soft-deleted", async () => {
  const { data } = await admin.upload("R", await smallRPackage("bygone", "1.0"), inNorth);
  const link = `/api/v2/manager/r/packages/${data.packageBag.id}/download/bygone_1.0.tar.gz`;
  expect((await uploader.request(link)).status).toBe(200);
  await admin.patch(`/r/packages/${data.packageBag.id}`, [replace("/deleted", true)]);
  for (const person of [uploader, admin]) expect((await person.request(link)).status).toBe(404);
});
