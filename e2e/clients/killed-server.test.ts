import { createHash } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { gunzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import { type ApiUser, freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test, vi } from "vitest";

const kills = isLong ? 30 : 2;
const password = "administrator's password";
const repository = "survivors";

let port: number;
let product: Product;

beforeAll(async () => {
  port = await freePort();
  product = await start();
}, 120_000);
afterAll(async () => {
  await product?.stop();
});

const start = (dataDir?: string): Promise<Product> =>
  startProduct({
    port,
    ...(dataDir ? { dataDir } : {}),
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: password,
      // The sweep at each start then meets uploads of the moment.
      PACKHOUSE_STORAGE_KEEP_UNNAMED_HOURS: "0",
      PACKHOUSE_PEOPLE: JSON.stringify([{ login: "uploader", password }]),
    },
  });

/** What the server has confirmed, and must therefore still have after it was killed. */
const confirmed = { stored: new Set<number>(), accepted: new Set<string>() };

/** Uploads and accepts one after the other, and purges some, until the server is gone. */
async function work(uploader: ApiUser, administrator: ApiUser, round: number, worker: number): Promise<void> {
  for (let count = 0; ; count += 1) {
    const name = `survivor${round}.${worker}.${count}`;
    const file = await smallRPackage(name, "1.0.0");
    try {
      const submission = await uploader.upload("R", repository, file);
      confirmed.stored.add(submission.id);
      await administrator.accept("R", submission.id);
      if (count % 3 < 2) confirmed.accepted.add(name);
      else {
        confirmed.stored.delete(submission.id);
        await administrator.call("PATCH", `/r/packages/${submission.packageBag.id}`, [
          { op: "replace", path: "/deleted", value: true },
        ]);
        await administrator.call("DELETE", `/r/packages/${submission.packageBag.id}`);
      }
    } catch {
      return; // killed in the middle; nothing was confirmed
    }
  }
}

/** Names in the index; every form of it must agree, and every file that it names must be there with its digest. */
async function publishedNames(): Promise<Set<string>> {
  const address = `${product.address}/repo/${repository}/src/contrib`;
  const text = await (await fetch(`${address}/PACKAGES`)).text();
  const packed = Buffer.from(await (await fetch(`${address}/PACKAGES.gz`)).arrayBuffer());
  expect(gunzipSync(packed).toString()).toBe(text);
  const records = text.split("\n\n").filter((record) => record.trim() !== "");
  const names = new Set<string>();
  for (const record of records) {
    const field = (name: string) => new RegExp(`^${name}: (.*)$`, "m").exec(record)?.[1] ?? "";
    names.add(field("Package"));
    const file = await fetch(`${address}/${field("Package")}_${field("Version")}.tar.gz`);
    expect(
      createHash("md5")
        .update(Buffer.from(await file.arrayBuffer()))
        .digest("hex"),
    ).toBe(field("MD5sum"));
  }
  return names;
}

async function storedIds(administrator: ApiUser): Promise<Set<number>> {
  const { data } = await administrator.call("GET", "/submissions?size=2000");
  const { content } = data as { content: { id: number }[] };
  return new Set(content.map(({ id }) => id));
}

test(`a server killed ${kills} times during upload, accept and publication loses nothing that it confirmed`, async () => {
  let administrator = await signIn(product, "admin", password);
  await administrator.createRepository("R", repository);
  for (let round = 0; round < kills; round += 1) {
    const uploader = await signIn(product, "uploader", password);
    const working = [0, 1, 2].map((worker) => work(uploader, administrator, round, worker));
    // Every third round ends while all of it is fresh, the others when a machine of whatever speed has come to work.
    const before = confirmed.accepted.size;
    if (round % 3 > 0)
      await vi.waitUntil(() => confirmed.accepted.size >= before + 3, { timeout: 30_000, interval: 5 });
    // fixed wait: spread over an upload, an accept and a render, which take some tens of milliseconds each.
    await sleep(20 + ((round * 37) % 260));
    await product.kill("SIGKILL");
    await Promise.all(working);
    product = await start(product.dataDir);
    administrator = await signIn(product, "admin", password);
    const stored = await storedIds(administrator);
    expect([...confirmed.stored].filter((id) => !stored.has(id))).toEqual([]);
    const published = await publishedNames();
    expect([...confirmed.accepted].filter((name) => !published.has(name))).toEqual([]);
  }
  expect(confirmed.accepted.size).toBeGreaterThan(kills);
}, 600_000);
