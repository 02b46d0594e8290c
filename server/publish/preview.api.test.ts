import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Actor } from "../http/actor.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let submitter: Client;
let person: Actor;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  person = await it.given.person("submitter");
  submitter = await it.as(person);
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "orchard" });
});
afterAll(() => it.close());

const uploaded = (client: Client, repository: string, file: SmallPackage) =>
  it.given.submission(client, repository, file);

const html = { accept: "text/html" };
const preview = (id: number) => `@submission-${id}`;
const fetched = (client: Client, path: string, headers: Record<string, string> = {}) =>
  client.request(`/repo/${path}`, { headers });
const text = async (client: Client, path: string) => {
  const answer = await fetched(client, path);
  expect([path, answer.status]).toEqual([path, 200]);
  return answer.text();
};
const anonymously = (path: string, headers: Record<string, string> = {}) =>
  fetch(`${it.address}/repo/${path}`, { headers });

describe("a preview of an R repository", () => {
  test("lists the waiting version in every form of the index, and the previous one in the archive", async () => {
    await uploaded(admin, "north", await smallRPackage("tidepool", "1.0"));
    await uploaded(admin, "north", await smallRPackage("kelp", "3.0"));
    const file = await smallRPackage("tidepool", "1.1");
    const { id } = await uploaded(submitter, "north", file);
    const below = `north/${preview(id)}/src/contrib`;
    const index = await text(submitter, `${below}/PACKAGES`);
    expect(index.match(/^(Package|Version): .*$/gm)).toEqual([
      "Package: kelp",
      "Version: 3.0",
      "Package: tidepool",
      "Version: 1.1",
    ]);
    const packed = await (await fetched(submitter, `${below}/PACKAGES.gz`)).arrayBuffer();
    expect(gunzipSync(packed).toString()).toBe(index);
    for (const name of ["PACKAGES.rds", "Meta/archive.rds"]) {
      const rds = gunzipSync(await (await fetched(submitter, `${below}/${name}`)).arrayBuffer()).toString("latin1");
      expect([name, rds.includes("tidepool")]).toEqual([name, true]);
    }
    const bytes = await (await fetched(submitter, `${below}/tidepool_1.1.tar.gz`)).arrayBuffer();
    expect(Buffer.from(bytes).equals(file.bytes)).toBe(true);
    for (const name of ["Archive/tidepool/tidepool_1.0.tar.gz", "kelp_3.0.tar.gz"])
      expect([name, (await fetched(submitter, `${below}/${name}`)).status]).toEqual([name, 200]);
    // What is served to everyone is as before.
    expect(await text(admin, "north/src/contrib/PACKAGES")).not.toContain("1.1");
  });

  test("of the first package of a name begins a part of the index", async () => {
    const { id } = await uploaded(submitter, "north", await smallRPackage("zostera", "0.1"));
    expect(await text(submitter, `north/${preview(id)}/src/contrib/PACKAGES`)).toContain("Package: zostera");
  });
});

describe("a preview of a Python repository", () => {
  test("lists the files of the release with their metadata", async () => {
    await uploaded(admin, "orchard", await smallSdist("pear", "1.0"));
    const sdist = await uploaded(submitter, "orchard", await smallSdist("pear", "1.1"));
    const wheel = await uploaded(submitter, "orchard", await smallWheel("pear", "1.1"));
    const page = await text(submitter, `orchard/${preview(sdist.id)}/simple/pear/`);
    expect([...page.matchAll(/>([^<]+\.(?:whl|tar\.gz))</g)].map(([, name]) => name)).toEqual([
      "pear-1.0.tar.gz",
      "pear-1.1-py3-none-any.whl",
      "pear-1.1.tar.gz",
    ]);
    const json = await fetched(submitter, `orchard/${preview(wheel.id)}/simple/pear/`, {
      accept: "application/vnd.pypi.simple.v1+json",
    });
    expect(await json.json()).toMatchObject({ versions: ["1.0", "1.1"] });
    const address = `orchard/${preview(wheel.id)}/simple/pear/@blob/${wheel.digest}/pear-1.1-py3-none-any.whl`;
    expect((await fetched(submitter, address)).status).toBe(200);
    expect(await text(submitter, `${address}.metadata`)).toContain("Version: 1.1");
  });

  test("of a new project lists it among the projects", async () => {
    const { id } = await uploaded(submitter, "orchard", await smallWheel("quince", "1.0"));
    expect(await text(submitter, `orchard/${preview(id)}/simple/`)).toContain(">quince<");
    expect(await text(admin, "orchard/simple/")).not.toContain("quince");
    // Rendered for the first reader, not for each.
    it.takeStatements();
    expect(await text(submitter, `orchard/${preview(id)}/simple/`)).toContain(">quince<");
    const readsAllParts = ({ sql }: { sql: string }) => /select "key", "content" from "index_parts"/.test(sql);
    expect(it.takeStatements().filter(readsAllParts)).toEqual([]);
  });
});

describe("access to a preview", () => {
  test("is for the submitter and those who may decide, with a token or a session, and nothing keeps it", async () => {
    const { id } = await uploaded(submitter, "north", await smallRPackage("lagoon", "1.0"));
    const path = `north/${preview(id)}/src/contrib/PACKAGES`;
    expect((await anonymously(path)).status).toBe(401);
    expect((await fetched(await it.as(await it.given.person("stranger")), path)).status).toBe(403);
    const carer = await it.given.person("carer", "packagemaintainer");
    const north = await it.deps.db
      .selectFrom("repositories")
      .select("id")
      .where("name", "=", "north")
      .executeTakeFirstOrThrow();
    await it.given.packageMaintainer(carer, north, "lagoon");
    for (const client of [submitter, admin, await it.as(carer), await it.bySession(person)]) {
      const answer = await fetched(client, path);
      expect(answer.status).toBe(200);
      expect(answer.headers.get("cache-control")).toBe("private, no-store");
      expect(answer.headers.get("vary")).toContain("Authorization");
    }
    const file = await fetched(submitter, `north/${preview(id)}/src/contrib/lagoon_1.0.tar.gz`);
    expect(file.headers.get("cache-control")).toBe("private, no-store");
  });

  test("ends with the decision", async () => {
    for (const state of ["ACCEPTED", "REJECTED"]) {
      const { id } = await uploaded(
        submitter,
        "north",
        await smallRPackage("reef", state === "ACCEPTED" ? "1.0" : "1.1"),
      );
      const path = `north/${preview(id)}/src/contrib/PACKAGES`;
      expect((await fetched(submitter, path)).status).toBe(200);
      expect((await admin.patch(`/r/submissions/${id}`, [replace("/state", state)])).http).toBe(200);
      expect((await fetched(submitter, path)).status).toBe(404);
    }
  });

  test("is below its own repository alone", async () => {
    const { id } = await uploaded(submitter, "north", await smallRPackage("moat", "1.0"));
    for (const path of [
      `orchard/${preview(id)}/simple/`,
      `north/${preview(999_999)}/src/contrib/PACKAGES`,
      `nowhere/${preview(id)}/`,
    ])
      expect([path, (await fetched(submitter, path)).status]).toEqual([path, 404]);
  });
});

test("nothing of a waiting package is reachable under the public address, whatever path of its preview is asked for", async () => {
  const r = await uploaded(submitter, "north", await smallRPackage("secret", "1.0"));
  const wheel = await uploaded(submitter, "orchard", await smallWheel("secret", "1.0"));
  const names = [
    ...["PACKAGES", "PACKAGES.gz", "PACKAGES.rds", "Meta/archive.rds", "secret_1.0.tar.gz"].flatMap((name) => [
      `north/${preview(r.id)}/src/contrib/${name}`,
      `north/${preview(r.id)}/src/contrib/Archive/secret/${name}`,
    ]),
    `orchard/${preview(wheel.id)}/simple/`,
    `orchard/${preview(wheel.id)}/simple/secret/`,
    `orchard/${preview(wheel.id)}/secret/`,
    ...["", ".metadata"].flatMap((end) => [
      `orchard/${preview(wheel.id)}/simple/secret/@blob/${wheel.digest}/secret-1.0-py3-none-any.whl${end}`,
      `orchard/${preview(wheel.id)}/simple/secret/secret-1.0-py3-none-any.whl${end}`,
    ]),
  ];
  const reachable: string[] = [];
  // Read first with a right to it, so that a cache could leak it.
  for (const path of names) await fetched(submitter, path);
  for (const path of names)
    for (const address of [path, path.replace(/@submission-\d+\//, ""), path.replace(/@submission-/, "@")]) {
      for (const headers of [{}, html, { "accept-encoding": "gzip" }]) {
        const answer = await anonymously(address, headers);
        const body = Buffer.from(await answer.arrayBuffer());
        const plain = body.subarray(0, 2).toString("hex") === "1f8b" ? gunzipSync(body) : body;
        if (plain.includes("secret") || (answer.status === 200 && address.includes("@submission-")))
          reachable.push(address);
      }
    }
  expect(reachable).toEqual([]);
});
