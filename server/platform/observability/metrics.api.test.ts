import { mkdtempSync, rmSync } from "node:fs";
import { rename } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, describe, expect, test, vi } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { freePort } from "../../testing/product.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";

const folder = mkdtempSync(join(tmpdir(), "packhouse-metrics-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The metrics as an administrator gets them; undefined for a series that does not exist. */
async function scrape(it: TestPackhouse) {
  const admin = await it.as(it.admin);
  const answer = await admin.request("/actuator/prometheus");
  expect([answer.status, answer.headers.get("content-type")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
  ]);
  const text = await answer.text();
  const series = new Map(
    text
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"))
      .map((line) => {
        const end = line.lastIndexOf(" ");
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
  );
  return { text, figure: (name: string) => series.get(name) };
}
const downloaded = async (it: TestPackhouse, path: string) =>
  // fixed wait: the last byte is here before the server has counted it
  (await it.anonymous.request(path)).arrayBuffer().then(() => sleep(20));

describe("metrics", () => {
  test("are for administrators, by session or access token", async () => {
    await using it = await startPackhouse();
    const user = await it.given.person("somebody");
    const statusFor = async (client: TestPackhouse["anonymous"]) =>
      (await client.request("/actuator/prometheus")).status;
    expect(await statusFor(it.anonymous)).toBe(401);
    expect(await statusFor(await it.as(user))).toBe(403);
    expect(await statusFor(await it.as(it.admin))).toBe(200);
    expect(await statusFor(await it.bySession(it.admin))).toBe(200);
  });

  test("are public on a separate port, which serves nothing else", async () => {
    const port = await freePort();
    const it = await startPackhouse({ settings: { "metrics.port": port } });
    const address = `http://127.0.0.1:${port}`;
    expect(await (await fetch(`${address}/actuator/prometheus`)).text()).toContain("packhouse_info{");
    expect((await fetch(`${address}/api/v2/manager/packages`)).status).toBe(404);
    expect((await fetch(`${address}/actuator/prometheus`, { method: "POST" })).status).toBe(404);
    await it.close();
    await expect(fetch(`${address}/actuator/prometheus`)).rejects.toThrow("fetch failed");
  });

  test("count requests by the pattern of the route, never by address", async () => {
    await using it = await startPackhouse();
    const admin = await it.as(it.admin);
    for (const id of [4711, 4712]) await admin.get(`/packages/${id}`);
    await admin.request("/no/such/address-4713");
    const { text, figure } = await scrape(it);
    const labels = 'method="GET",route="/api/v2/manager/packages/:id",status="4xx"';
    expect(figure(`packhouse_http_request_duration_seconds_count{${labels}}`)).toBe(2);
    expect(figure(`packhouse_http_request_duration_seconds_bucket{le="60",${labels}}`)).toBe(2);
    expect(text).not.toMatch(/[/-]471\d/);
  });

  test.runIf(isLong)("count uploads, jobs, renders and downloads", async () => {
    await using it = await startPackhouse();
    const admin = await it.as(it.admin);
    const { name: repository } = await it.given.repository("R");
    const file = await smallRPackage("counted", "1.0");
    expect((await admin.upload("R", file, { repository })).http).toBe(201);
    expect((await admin.upload("R", file, { repository })).http).toBe(200);
    expect((await admin.upload("R", { ...file, fileName: "other_1.0.tar.gz" }, { repository })).http).toBe(422);
    for (let count = 0; count < 3; count += 1)
      await downloaded(it, `/repo/${repository}/src/contrib/counted_1.0.tar.gz`);
    await downloaded(it, `/repo/${repository}/src/contrib/PACKAGES`);

    // The upload has rendered its package itself; its job follows within seconds.
    const jobsDone = async () =>
      (await scrape(it)).figure('packhouse_jobs_total{name="publish-repository",outcome="done"}');
    await expect.poll(jobsDone).toBeGreaterThanOrEqual(1);
    const { figure } = await scrape(it);
    for (const outcome of ["stored", "present", "refused"])
      expect(figure(`packhouse_uploads_total{technology="R",outcome="${outcome}"}`)).toBe(1);
    expect(figure('packhouse_upload_bytes_total{technology="R"}')).toBe(3 * file.bytes.length);
    expect(
      figure('packhouse_job_duration_seconds_count{name="publish-repository",outcome="done"}'),
    ).toBeGreaterThanOrEqual(1);
    expect(figure('packhouse_render_duration_seconds_count{technology="R"}')).toBeGreaterThanOrEqual(1);
    expect(figure('packhouse_render_parts_total{technology="R"}')).toBeGreaterThanOrEqual(1);
    expect(figure(`packhouse_package_downloads_total{repository="${repository}",package="counted"}`)).toBe(3);
  });

  test("have separate series for a limited number of packages, and one for all others", async () => {
    await using it = await startPackhouse({ settings: { "metrics.packages": 1 } });
    await using without = await startPackhouse({ settings: { "metrics.packages": 0 } });
    const others = 'packhouse_package_downloads_total{repository="*",package="*"}';
    for (const one of [it, without]) {
      const admin = await one.as(one.admin);
      const { name: repository } = await one.given.repository("Python");
      for (const name of ["first", "second", "third"]) {
        await admin.upload("Python", await smallSdist(name, "1.0"), { repository });
        await downloaded(one, `/repo/${repository}/simple/${name}/${name}-1.0.tar.gz`);
      }
      await downloaded(one, `/repo/${repository}/simple/first/first-1.0.tar.gz`);
      const { text, figure } = await scrape(one);
      const own = figure(`packhouse_package_downloads_total{repository="${repository}",package="first"}`);
      expect([own, figure(others)]).toEqual(one === it ? [2, 2] : [undefined, 4]);
      expect(text).not.toContain('package="second"');
    }
  });

  test("count sign-ins that failed", async () => {
    await using it = await startPackhouse();
    await it.anonymous.request("/login", {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ login: "admin", password: "not that" }),
    });
    for (const authorization of ["Bearer pkh_0123456789abcdefghijABCDEFGHIJ01", "Basic nothing"])
      await it.anonymous.request("/api/v2/manager/packages", { headers: { authorization } });
    await it.anonymous.get("/packages");
    const { figure } = await scrape(it);
    expect(figure('packhouse_sign_ins_failed_total{by="password"}')).toBe(1);
    expect(figure('packhouse_sign_ins_failed_total{by="token"}')).toBe(2);
  });

  test("count storage failures, but not missing or too large objects", async () => {
    const storageFolder = join(folder, "storage");
    await using it = await startPackhouse({ dataDir: folder, settings: { "upload.maxBytes": 10_000 } });
    const admin = await it.as(it.admin);
    const { name: repository } = await it.given.repository("R");
    const file = await smallRPackage("kept", "1.0");
    const tooLarge = await admin.upload("R", { ...file, bytes: new Uint8Array(20_000) }, { repository });
    expect(tooLarge.http).toBe(413);
    await expect(it.deps.storage.read("0".repeat(64))).rejects.toThrow("no object");
    expect((await scrape(it)).text).not.toContain("packhouse_storage_errors_total{");
    await rename(storageFolder, join(folder, "elsewhere"));
    expect((await admin.upload("R", file, { repository })).http).toBeGreaterThanOrEqual(500);
    await rename(join(folder, "elsewhere"), storageFolder);
    expect((await scrape(it)).figure('packhouse_storage_errors_total{operation="stage"}')).toBe(1);
  });

  test("show how far publication and jobs are behind", async () => {
    let now = new Date();
    await using it = await startPackhouse({ clock: () => now });
    const { id } = await it.given.repository("R");
    await it.deps.publication.whenServed([id]);
    await it.removeJobsOf({ id });
    await it.deps.db.transaction().execute((tx) => it.deps.publication.note(tx, id, "everything"));
    now = new Date(now.getTime() + 90_000);
    const before = await scrape(it);
    expect(before.figure("packhouse_repositories_behind")).toBe(1);
    expect(before.figure("packhouse_publication_lag_seconds")).toBe(90);
    await it.deps.publication.render(it.deps.db, id);
    await it.deps.publication.whenServed([id]);
    // The numbers are cached for a moment.
    const isUpToDate = async () => (await scrape(it)).figure("packhouse_repositories_behind") === 0;
    await vi.waitUntil(isUpToDate, { timeout: 10_000, interval: 50 });
    const after = await scrape(it);
    expect(after.figure("packhouse_repositories_behind")).toBe(0);
    expect(after.figure("packhouse_publication_lag_seconds")).toBe(0);
  });

  test.runIf(isLong)("of process, event loop and pool are available even if the database does not answer", async () => {
    const port = await freePort();
    await using it = await startPackhouse({ settings: { "metrics.port": port, "database.waitMs": 60_000 } });
    const release = Promise.withResolvers<void>();
    const held = Array.from({ length: 10 }, () => it.deps.db.connection().execute(() => release.promise));
    await vi.waitUntil(() => it.pool.totalCount === 10 && it.pool.idleCount === 0, { timeout: 30_000 });
    const began = performance.now();
    const text = await (await fetch(`http://127.0.0.1:${port}/actuator/prometheus`)).text();
    expect(performance.now() - began).toBeLessThan(30_000);
    for (const line of ["packhouse_database_up 0", "packhouse_database_pool_connections 10"])
      expect(text.split("\n")).toContain(line);
    expect(text).toMatch(/^packhouse_database_pool_waiting [1-9]/m);
    expect(text).toMatch(/^nodejs_eventloop_lag_p99_seconds \d/m);
    expect(text).toMatch(/^process_resident_memory_bytes \d/m);
    expect(text).not.toMatch(/^packhouse_publication_lag_seconds /m);
    release.resolve();
    await Promise.all(held);
  });
});
