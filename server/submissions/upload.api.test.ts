import { createHash } from "node:crypto";
import { buildBroken } from "@packhouse/fixtures/build-broken";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Repository } from "../repositories/store.ts";
import type { Actor } from "../sign-in/actor.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../testing/small-packages.ts";

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

describe("an archive that is no package", () => {
  test("gets its code and leaves neither bytes nor rows", async () => {
    const before = await rowCounts();
    const wrong: unknown[] = [];
    for (const { technology, fileName, bytes, code } of await buildBroken()) {
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

  test("is refused before it is read when its type or name cannot be one", async () => {
    const bytes = new TextEncoder().encode("<html>");
    const answer = await uploader.upload("R", { fileName: "page.html", bytes, type: "text/html" }, inNorth);
    expect([answer.http, answer.data]).toEqual([422, ["invalid.contenttype", "invalid.filename"]]);
  });

  test("gets a clear answer when there is no file, no repository or no such repository", async () => {
    const file = await smallRPackage("lonely", "1.0.0");
    expect((await uploader.upload("R", file, {})).messageCode).toBe("bad.request");
    expect((await uploader.upload("R", file, { repository: "nowhere" })).messageCode).toBe("repository.notfound");
    expect((await uploader.upload("R", file, { repository: "pynorth" })).messageCode).toBe("repository.notfound");
  });
});

describe("an upload", () => {
  test("waits for somebody else when its uploader may not accept", async () => {
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

  test("is accepted at once when he may, and published with it", async () => {
    const answer = await admin.upload("Python", await smallWheel("tidewheel", "1.0"), { repository: "pynorth" });
    expect([answer.http, answer.data.state]).toEqual([201, "ACCEPTED"]);
    expect(await (await fetch(`${it.address}/repo/pynorth/simple/tidewheel/`)).text()).toContain("tidewheel-1.0");
  });

  test("of what is there already stores nothing and shows what is there", async () => {
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

  test("of one version by two people at once is stored once", async () => {
    const file = await smallRPackage("racer", "1.0.0");
    const answers = await Promise.all([uploader, stranger, admin].map((person) => person.upload("R", file, inNorth)));
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 200, 201]);
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
  const settle = (person: Client, id: number, state: string) =>
    person.patch(`/r/submissions/${id}`, [replace("/state", state)]);

  test("is neither accepted nor rejected by its submitter, nor by a stranger", async () => {
    const id = await waiting("mine");
    expect((await settle(uploader, id, "ACCEPTED")).http).toBe(403);
    expect((await settle(uploader, id, "REJECTED")).http).toBe(403);
    expect((await settle(stranger, id, "ACCEPTED")).http).toBe(403);
    expect((await settle(stranger, id, "CANCELLED")).http).toBe(403);
  });

  test("is accepted into the index, with one event", async () => {
    const id = await waiting("welcome");
    const answer = await settle(admin, id, "ACCEPTED");
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

  test("can be cancelled by its submitter, and then by nobody changed", async () => {
    const id = await waiting("withdrawn");
    expect((await settle(uploader, id, "cancelled")).data.state).toBe("CANCELLED");
    expect((await settle(admin, id, "ACCEPTED")).messageCode).toBe("error.malformed.patch");
  });

  test("gets one verdict when two people press at once", async () => {
    const id = await waiting("contested");
    const answers = await Promise.all([
      settle(admin, id, "ACCEPTED"),
      settle(admin, id, "REJECTED"),
      settle(uploader, id, "CANCELLED"),
    ]);
    expect(answers.map((answer) => answer.http).sort()).toEqual([200, 422, 422]);
    const { data } = await admin.get("/events?resourceType=submission&eventType=update&size=100");
    expect(data.content.filter((event: { resourceId: number }) => event.resourceId === id)).toHaveLength(1);
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
