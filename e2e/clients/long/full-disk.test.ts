import { spawnSync } from "node:child_process";
import { existsSync, rmSync } from "node:fs";
import { join } from "node:path";
import { inDatabaseOf, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallDisk } from "@packhouse/server/testing/small-disk";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { expect, test, vi } from "vitest";
import { z } from "zod";

const password = "administrator's password";

/** PostgreSQL's own files take some 60 MiB. */
const { folder: disk, mounted } = smallDisk(160, "The test of an installation whose whole disk is full");

test.runIf(mounted)(
  "an installation of one folder whose disk is full refuses what it cannot keep, and goes on when there is room",
  async () => {
    const dataDir = join(disk, "data");
    await using product = await startProduct({
      dataDir,
      environment: { PACKHOUSE_ADMIN_PASSWORD: password, PACKHOUSE_GENERATE_MANUALS: "false" },
    });
    expect(existsSync(join(dataDir, "database/PG_VERSION"))).toBe(true); // both stores are on that disk
    const health = async () => (await fetch(`${product.address}/actuator/health`)).status;
    const administrator = await signIn(product, "admin", password);
    const repository = await administrator.createRepository("R", "kept");
    const confirmed: string[] = [];
    const upload = async (name: string): Promise<number> => {
      const { fileName, bytes } = await smallRPackage(name, "1.0");
      const form = new FormData();
      form.append("repository", "kept");
      form.append("file", new Blob([new Uint8Array(bytes)]), fileName);
      const { status } = await fetch(`${product.address}/api/v2/manager/r/submissions`, {
        method: "POST",
        headers: { authorization: `Bearer ${administrator.token}` },
        body: form,
      });
      if (status === 201) confirmed.push(name);
      return status;
    };
    expect(await upload("before")).toBe(201);

    const ballast = join(disk, "ballast");
    spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=4096"]); // ends when nothing fits any more
    expect(await upload("nowhere")).toBe(507);
    // A file of PostgreSQL's log is 16 MiB long. When the one in use is full, it ends, and cannot start without room.
    await inDatabaseOf(product, (db) =>
      db.selectNoFrom(({ fn }) => fn("pg_switch_wal").as("position")).execute(),
    ).catch(() => {});
    const edit = async (redirectToSource: boolean): Promise<number> => {
      const { status } = await fetch(`${product.address}/api/v2/manager/r/repositories/${repository}`, {
        method: "PATCH",
        headers: {
          authorization: `Bearer ${administrator.token}`,
          "content-type": "application/json-patch+json",
        },
        body: JSON.stringify([{ op: "replace", path: "/redirectToSource", value: redirectToSource }]),
      });
      return status;
    };
    const edits: number[] = [];
    for (let count = 0; count < 500 && !edits.includes(503); count += 1) edits.push(await edit(count % 2 === 0));
    expect(edits.filter((status) => status !== 200)).toEqual([503]);
    // An answer of before may be kept for a moment.
    await vi.waitUntil(async () => (await health()) === 503, { timeout: 10_000, interval: 50 });
    expect(await edit(true)).toBe(503);
    expect([503, 507]).toContain(await upload("nowhere"));

    rmSync(ballast);
    await vi.waitUntil(async () => (await health()) === 200, { timeout: 60_000, interval: 100 });
    expect(product.process.exitCode).toBe(null);
    expect(await upload("after")).toBe(201);
    const names = async () => {
      const index = await (await fetch(`${product.address}/repo/kept/src/contrib/PACKAGES`)).text();
      return [...index.matchAll(/^Package: (.+)$/gm)].map(([, name]) => name).sort();
    };
    await vi.waitUntil(async () => (await names()).includes("after"), { timeout: 30_000 });
    expect(await names()).toEqual(confirmed.sort());
    const { data } = await administrator.call("GET", `/r/repositories/${repository}`);
    const lastConfirmed = edits.length - 2;
    expect(z.object({ redirectToSource: z.boolean() }).parse(data).redirectToSource).toBe(lastConfirmed % 2 === 0);
    for (const name of confirmed)
      expect((await fetch(`${product.address}/repo/kept/src/contrib/${name}_1.0.tar.gz`)).status).toBe(200);
  },
  240_000,
);
