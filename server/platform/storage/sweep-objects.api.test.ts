import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { type Client, replace, startPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { sweepObjects } from "./sweep-objects.ts";

const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const hour = 3_600_000;

async function purge(admin: Client, packageId: number): Promise<void> {
  expect((await admin.patch(`/r/packages/${packageId}`, [replace("/deleted", true)])).http).toBe(200);
  expect((await admin.delete(`/r/packages/${packageId}`)).http).toBe(204);
}

test("the sweep removes unreferenced objects a day after an upload last named them", async () => {
  await using it = await startPackhouse();
  const admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  const later = (hours: number) =>
    sweepObjects({ ...it.deps, clock: () => new Date(it.deps.clock().getTime() + hours * hour) });
  const [kept, purged] = await Promise.all([smallRPackage("kept", "1.0"), smallRPackage("purged", "1.0")]);
  await admin.upload("R", kept, { repository: "north" });
  const { data } = await admin.upload("R", purged, { repository: "north" });
  await purge(admin, data.packageBag.id);

  expect(await later(23)).toBe(0);
  expect(await it.storage.has(digestOf(purged.bytes))).toBe(true);
  expect(await later(25)).toBe(1);
  expect(await it.storage.has(digestOf(purged.bytes))).toBe(false);
  expect(await it.storage.has(digestOf(kept.bytes))).toBe(true);
  expect(await it.deps.db.selectFrom("objects").select("digest").execute()).toEqual([{ digest: digestOf(kept.bytes) }]);
});

test("a replaced file stays, since an earlier state of the index names it", async () => {
  await using it = await startPackhouse({ settings: { "storage.keepUnnamedHours": 0 } });
  const admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  const old = await smallRPackage("changed", "1.0");
  await admin.upload("R", old, { repository: "north" });
  await admin.upload("R", await smallRPackage("changed", "1.0", { Title: "Another" }), {
    repository: "north",
    replace: "true",
  });
  expect(await sweepObjects(it.deps)).toBe(0);
  expect(await it.storage.has(digestOf(old.bytes))).toBe(true);
});

test("what a waiting file has replaced stays until it is decided on", async () => {
  await using it = await startPackhouse({ settings: { "storage.keepUnnamedHours": 0 } });
  const admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  const ren = await it.as(await it.given.person("ren"));
  const old = await smallRPackage("changed", "1.0");
  await ren.upload("R", old, { repository: "north" });
  const { data } = await ren.upload("R", await smallRPackage("changed", "1.0", { Title: "Another" }), {
    repository: "north",
    replace: "true",
  });
  expect(data.state).toBe("WAITING");
  expect(await sweepObjects(it.deps)).toBe(0);
  expect(await it.storage.has(digestOf(old.bytes))).toBe(true);
  expect((await admin.post(`/submissions/${data.id}/decision`, { decision: "ACCEPTED" })).http).toBe(200);
  // The server's own sweep may have been faster.
  await sweepObjects(it.deps);
  expect(await it.storage.has(digestOf(old.bytes))).toBe(false);
});

test("concurrent uploads, deletions and sweeps never leave a package without its bytes", async () => {
  await using it = await startPackhouse({ settings: { "storage.keepUnnamedHours": 0 } });
  const admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  const files = await Promise.all([1, 2, 3].map((count) => smallRPackage(`again${count}`, "1.0")));
  let swept = 0;
  let working = true;
  const sweeping = async () => {
    while (working) swept += await sweepObjects(it.deps);
  };
  const workers = Promise.all(
    files.map(async (file) => {
      for (let round = 0; round < 15; round += 1) {
        const { http, data } = await admin.upload("R", file, { repository: "north" });
        expect(http).toBe(201);
        expect(
          (await admin.request(`/api/v2/manager/r/packages/${data.packageBag.id}/download/${file.fileName}`)).status,
        ).toBe(200);
        await purge(admin, data.packageBag.id);
      }
    }),
  );
  await Promise.all([sweeping(), workers.finally(() => (working = false))]);
  expect(swept).toBeGreaterThan(0);
});
