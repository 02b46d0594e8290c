import { bytesOf } from "@packhouse/formats/byte-source";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../../testing/small-packages.ts";
import { factsStore } from "./facts-store.ts";
import { factsVersion, longestFact, mostDependencies, mostVignettes } from "./package-facts.ts";
import { readFacts } from "./read-facts.ts";

let it: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
});
afterAll(() => it.close());

const withVignettes = (name: string) =>
  smallRPackage(
    name,
    "1.0",
    { Imports: "silage (>= 1.0), loam" },
    {
      "inst/doc/tides.html": "<html><title>The tides</title></html>",
      "inst/doc/plain.pdf": "%PDF-",
      "README.md": "Hello",
    },
  );
async function uploaded(name: string): Promise<number> {
  const { http, data } = await admin.upload("R", await withVignettes(name), { repository: "north" });
  expect(http).toBe(201);
  return data.packageBag.id as number;
}
const vignettes = [
  { title: "plain", fileName: "plain.pdf" },
  { title: "The tides", fileName: "tides.html" },
];
const seen = async (id: number) => ({
  vignettes: (await admin.get(`/r/packages/${id}/vignettes`)).data,
  needs: (await admin.get(`/packages/${id}/dependencies`)).data.dependencies.map((one: { name: string }) => one.name),
});

describe("what an archive says about itself", () => {
  test("is read on upload, and shown without the archive's bytes", async () => {
    const id = await uploaded("tidepool");
    expect(await factsStore(it.deps.db).of(id)).toEqual({
      dependencies: [
        { kind: "imports", name: "silage", constraint: ">= 1.0", condition: "" },
        { kind: "imports", name: "loam", constraint: "", condition: "" },
      ],
      vignettes,
      readme: { kind: "text/markdown", bytes: 5 },
      incomplete: [],
    });
    const { digest } = await it.deps.db
      .selectFrom("packages")
      .select("digest")
      .where("id", "=", id)
      .executeTakeFirstOrThrow();
    await it.storage.remove(digest);
    expect(await seen(id)).toEqual({ vignettes, needs: ["silage", "loam"] });
    // Without either, the records still know the dependencies.
    await it.deps.db.deleteFrom("package_facts").where("package_id", "=", id).execute();
    expect(await seen(id)).toEqual({ vignettes: [], needs: ["silage", "loam"] });
    expect(await factsStore(it.deps.db).of(id)).toBeUndefined();
    await it.deps.db.updateTable("packages").set({ deleted: true }).where("id", "=", id).execute();
    await admin.delete(`/r/packages/${id}`);
  });

  test("of packages of earlier versions is read once, when requested", async () => {
    const id = await uploaded("earlier");
    await it.deps.db.deleteFrom("package_facts").where("package_id", "=", id).execute();
    expect(await seen(id)).toEqual({ vignettes, needs: ["silage", "loam"] });
    await it.deps.db
      .updateTable("package_facts")
      .set({ version: factsVersion - 1, facts: "{}" })
      .where("package_id", "=", id)
      .execute();
    expect(await seen(id)).toEqual({ vignettes, needs: ["silage", "loam"] });
    expect((await factsStore(it.deps.db).of(id))?.vignettes).toEqual(vignettes);
  });

  test("of all other packages is read soon after the start of a new version", async () => {
    const sdist = await smallSdist("driftwood", "1.0", { "Requires-Dist": "silt>=2" });
    const { data } = await admin.upload("Python", sdist, { repository: "south" });
    const ids = [data.packageBag.id as number, await uploaded("later"), await uploaded("latest")];
    await it.deps.db.deleteFrom("package_facts").execute();
    const replica = await it.replica();
    try {
      await expect.poll(() => factsStore(it.deps.db).missing(0, 100), { timeout: 25_000 }).toEqual([]);
      for (const id of ids) expect(await factsStore(it.deps.db).of(id)).toBeDefined();
    } finally {
      await replica.close();
    }
  });

  test("is removed with its package", async () => {
    const id = await uploaded("shortlived");
    await admin.patch(`/r/packages/${id}`, [{ op: "replace", path: "/deleted", value: true }]);
    expect((await admin.delete(`/r/packages/${id}`)).http).toBe(204);
    const left = await it.deps.db
      .selectFrom("package_facts")
      .select("package_id")
      .where("package_id", "=", id)
      .execute();
    expect(left).toEqual([]);
  });

  test("is limited, however much there is", async () => {
    const files = Object.fromEntries(
      Array.from({ length: mostVignettes + 10 }, (_, index) => [`inst/doc/${index}.html`, `<title>${index}</title>`]),
    );
    const { bytes, fileName } = await smallRPackage("large", "1.0", {}, files);
    const names = Array.from({ length: mostDependencies + 10 }, (_, index) => `needed${index}`);
    const facts = await readFacts(bytesOf(bytes), {
      technology: "R",
      kind: "source",
      fileName,
      metadata: { imports: `${"x".repeat(longestFact + 1)}, ${names.join(", ")}` },
      description: "d".repeat(1000),
      descriptionContentType: "text/plain",
    });
    // The first of those that are read is too long to be stored.
    expect(facts.dependencies).toHaveLength(mostDependencies - 1);
    expect(facts.dependencies[0]?.name).toBe("needed0");
    expect(facts.vignettes).toHaveLength(mostVignettes);
    // A package with more vignettes is refused when it is uploaded.
    expect(facts.incomplete).toEqual(["dependencies"]);
  });

  test("is marked when it is incomplete", async () => {
    const id = await uploaded("abridged");
    const facts = await factsStore(it.deps.db).of(id);
    if (!facts) throw new Error("nothing was read");
    await factsStore(it.deps.db).save(id, { ...facts, incomplete: ["dependencies"] });
    expect((await admin.get(`/packages/${id}/dependencies`)).data.shortened).toEqual(["dependencies"]);
  });
});

test("a vignette is sent completely, in pieces", async () => {
  const text = `<title>Long</title>${"tides and moons ".repeat(100_000)}`;
  const archive = await smallRPackage("longread", "1.0", {}, { "inst/doc/long.html": text });
  const { data } = await admin.upload("R", archive, { repository: "north" });
  const answer = await admin.request(`/api/v2/manager/r/packages/${data.packageBag.id}/vignettes/long.html`);
  expect([answer.status, Number(answer.headers.get("content-length"))]).toEqual([200, text.length]);
  expect(await answer.text()).toBe(text);
  expect((await admin.request(`/api/v2/manager/r/packages/${data.packageBag.id}/vignettes/no.html`)).status).toBe(404);
});
