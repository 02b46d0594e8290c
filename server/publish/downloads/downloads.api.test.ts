import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";
import { expectStatements } from "../../testing/statement-count.ts";

let now = new Date("2026-11-20T23:59:00Z");
let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

let count = 0;
/** A published package and the addresses of its files. */
async function givenPackage(technology: "R" | "Python" = "R") {
  count += 1;
  const name = `package${count}`;
  const repository = await packhouse.given.repository(technology);
  const file = technology === "R" ? await smallRPackage(name, "1.0") : await smallWheel(name, "1.0");
  const { data } = await admin.upload(technology, file, { repository: repository.name });
  const { id } = data.packageBag;
  const item = `/${technology === "R" ? "r" : "python"}/packages/${id}`;
  const path =
    technology === "R"
      ? `/repo/${repository.name}/src/contrib/${file.fileName}`
      : `/repo/${repository.name}/simple/${name}/${file.fileName}`;
  return {
    id,
    item,
    path,
    file,
    repository,
    async fetched(init: RequestInit = {}, of = path) {
      const answer = await admin.request(of, init);
      await answer.arrayBuffer();
      // fixed wait: the last byte is here before the server has counted it
      await sleep(10);
      return answer;
    },
    async downloads() {
      await packhouse.deps.downloads.flush();
      return (await admin.get(item)).data.downloads;
    },
  };
}

describe("downloads", () => {
  test("of a package without downloads are zero on each of thirty days", async () => {
    const { downloads } = await givenPackage();
    const { total, last30Days, perDay } = await downloads();
    expect([total, last30Days, perDay.length]).toEqual([0, 0, 30]);
    expect([perDay[0], perDay[29]]).toEqual([
      { date: "2026-10-22", count: 0 },
      { date: "2026-11-20", count: 0 },
    ]);
  });

  test.for(["R", "Python"] as const)(
    "of %s files are counted from the repository and from the API",
    async (technology) => {
      const it = await givenPackage(technology);
      await it.fetched();
      expect((await it.fetched()).status).toBe(200);
      expect((await it.fetched({}, `/api/v2/manager${it.item}/download/${it.file.fileName}`)).status).toBe(200);
      expect(await it.downloads()).toMatchObject({ total: 3, last30Days: 3 });
    },
  );

  test("exclude HEAD, 304, partial files, indexes, metadata and aborted answers", async () => {
    const large = await smallRPackage("large", "1.0", {}, { "data/noise.txt": noise(30_000_000) });
    const it = await givenPackage("Python");
    const r = await givenPackage("R");
    const { headers } = await it.fetched({ method: "HEAD" });
    const statuses = [
      await it.fetched({ headers: { "if-none-match": headers.get("etag") ?? "" } }),
      await it.fetched({ headers: { range: "bytes=10-" } }),
      await it.fetched({ headers: { range: "bytes=-10" } }),
      await it.fetched({ headers: { range: "bytes=99999999-" } }),
      await it.fetched({}, `${it.path}.metadata`),
      await it.fetched({}, it.path.replace(/[^/]+$/, "")),
      await r.fetched({}, r.path.replace(/[^/]+$/, "PACKAGES")),
    ].map(({ status }) => status);
    expect(statuses).toEqual([304, 206, 206, 416, 200, 200, 200]);
    expect(await it.downloads()).toMatchObject({ total: 0 });
    expect(await r.downloads()).toMatchObject({ total: 0 });

    const { data } = await admin.upload("R", large, { repository: r.repository.name });
    await brokenOff(r.path.replace(/[^/]+$/, large.fileName));
    expect((await admin.get(`/r/packages/${data.packageBag.id}`)).data.downloads.total).toBe(0);
    await it.fetched({ headers: { range: "bytes=0-" } });
    expect(await it.downloads()).toMatchObject({ total: 1 });
  });

  test("are counted by day, of which the last thirty are shown", async () => {
    const it = await givenPackage();
    await it.fetched();
    now = new Date("2026-11-21T00:01:00Z");
    await it.fetched();
    await it.fetched();
    const { perDay } = await it.downloads();
    expect(perDay.slice(-2)).toEqual([
      { date: "2026-11-20", count: 1 },
      { date: "2026-11-21", count: 2 },
    ]);
    now = new Date("2026-12-20T12:00:00Z");
    admin = await packhouse.as(packhouse.admin); // the previous token has expired
    const later = await it.downloads();
    expect(later).toMatchObject({ total: 3, last30Days: 2 });
    expect(later.perDay[0]).toEqual({ date: "2026-11-21", count: 2 });
  });

  test("cost one later statement for all of them instead of one each", async () => {
    const packages = [await givenPackage(), await givenPackage()];
    for (const { fetched } of packages) await fetched();
    await packhouse.deps.downloads.flush();
    packhouse.takeStatements();
    const written = () =>
      packhouse.takeStatements().filter(({ sql: text }) => text.includes("package_downloads")).length;
    const started = performance.now();
    for (let round = 0; round < 5; round += 1) for (const { fetched } of packages) await fetched();
    await packhouse.deps.downloads.flush();
    const elapsedMs = performance.now() - started;
    const statements = written();
    expect(statements).toBeGreaterThan(0);
    // One here, and one every five seconds.
    expect(statements).toBeLessThanOrEqual(2 + elapsedMs / 5000);
    await packhouse.deps.downloads.flush();
    expect(written()).toBe(0);
    for (const { downloads } of packages) expect(await downloads()).toMatchObject({ total: 6 });
  });

  test("are shown with single packages only, at either address, in at most five statements", async () => {
    const { id, item, fetched } = await givenPackage();
    await fetched();
    await packhouse.deps.downloads.flush();
    for (const path of [item, `/packages/${id}`]) {
      expect((await admin.get(path)).data.downloads.total).toBe(1);
      await expectStatements(packhouse, () => admin.get(path), 5);
    }
    for (const path of ["/packages", "/r/packages"])
      for (const shown of (await admin.get(`${path}?size=100`)).data.content)
        expect(shown).not.toHaveProperty("downloads");
  });

  test("add up over replicas, and are kept when one ends", async () => {
    const { repository, file, downloads, fetched } = await givenPackage();
    await fetched();
    const replica = await packhouse.replica();
    const address = await replica.listen();
    await (await fetch(`${address}/repo/${repository.name}/src/contrib/${file.fileName}`)).arrayBuffer();
    // fixed wait: the last byte is here before the server has counted it
    await sleep(20);
    await replica.close();
    expect(await downloads()).toMatchObject({ total: 2 });
  });

  test("are kept while the database refuses them", async () => {
    const { fetched, downloads } = await givenPackage();
    await fetched();
    await sql`alter table package_downloads rename to lost`.execute(packhouse.deps.db);
    await packhouse.deps.downloads.flush();
    await sql`alter table lost rename to package_downloads`.execute(packhouse.deps.db);
    await fetched();
    expect(await downloads()).toMatchObject({ total: 2 });
  });

  test("are removed with a purged package, even when they come later", async () => {
    const { id, item, fetched } = await givenPackage();
    await fetched();
    await packhouse.deps.downloads.flush();
    await fetched();
    await admin.patch(item, [replace("/deleted", true)]);
    expect((await admin.delete(item)).http).toBe(204);
    await packhouse.deps.downloads.flush();
    const left = await packhouse.deps.db
      .selectFrom("package_downloads")
      .selectAll()
      .where("package_id", "=", id)
      .execute();
    expect(left).toEqual([]);
  });
});

/** An incompressible text. */
function noise(bytes: number): string {
  const chunks: string[] = [];
  for (let left = bytes; left > 0; left -= 65_536)
    chunks.push(Buffer.from(crypto.getRandomValues(new Uint8Array(49_152))).toString("base64"));
  return chunks.join("");
}

/** Disconnects after the first bytes. */
function brokenOff(path: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(packhouse.address + path, (answer) => {
      answer.once("data", () => {
        answer.destroy();
        // fixed wait: nothing shows that the server has noticed
        setTimeout(resolve, 200);
      });
    });
    asked.on("error", reject);
    asked.end();
  });
}
