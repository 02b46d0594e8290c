import { type ChildProcess, spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { isLong } from "@packhouse/fixtures/long-form";
import { type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { keepCompiled } from "@packhouse/server/testing/programs/compiled";
import { productProgram } from "@packhouse/server/testing/programs/product-program";
import { type ObjectStore, startObjectStore } from "@packhouse/server/testing/servers/object-store";
import { type PostgresServer, startPostgresServer } from "@packhouse/server/testing/servers/postgres-server";
import { smallRPackage, smallSdist } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test } from "vitest";

const password = "administrator's password";
const environment = { PACKHOUSE_ADMIN_PASSWORD: password };
const versions = 12;
const addresses = [
  "north/src/contrib/PACKAGES",
  "north/src/contrib/PACKAGES.gz",
  "north/src/contrib/PACKAGES.rds",
  "north/@3/src/contrib/PACKAGES.gz",
  "north/src/contrib/one_1.3.tar.gz",
  "south/simple/",
  "south/simple/two/",
  "south/@2/simple/two/",
  "south/simple/two/two-1.3.tar.gz",
];

let folder: string;
let product: Product;
let served: string[];

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-moved-"));
  product = await startProduct({ dataDir: join(folder, "old"), environment });
  const admin = await signIn(product, "admin", password);
  await admin.createRepository("R", "north");
  await admin.createRepository("Python", "south");
  for (let number = 1; number <= versions; number += 1) {
    const [r, python] = [await smallRPackage("one", `1.${number}`), await smallSdist("two", `1.${number}`)];
    await admin.upload("R", "north", r);
    await admin.upload("Python", "south", python);
  }
  served = await downloads(product);
}, 240_000);
afterAll(async () => {
  await product?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function downloads({ address }: Product): Promise<string[]> {
  const answers: string[] = [];
  for (const path of addresses) {
    const answer = await fetch(`${address}/repo/${path}`);
    const bytes = Buffer.from(await answer.arrayBuffer());
    answers.push(`${path} ${answer.status} ${answer.headers.get("etag")} ${bytes.toString("base64")}`);
    expect(answer.status).toBe(200);
  }
  return answers;
}

interface Called {
  child: ChildProcess;
  ended: Promise<{ code: number | null; output: string }>;
}

/** The program, on an installation. */
function call(dataDir: string, parameters: string[], more: Record<string, string> = {}): Called {
  const child = spawn(process.execPath, [productProgram(), ...parameters], {
    env: { PATH: process.env.PATH, ...keepCompiled, PACKHOUSE_DATA_DIR: dataDir, ...more },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const exit = new Promise<number | null>((ended) => child.once("close", ended));
  const ended = Promise.all([exit, text(child.stdout), text(child.stderr)]).then(([code, out, err]) => ({
    code,
    output: out + err,
  }));
  return { child, ended };
}

/** The time before the first kill grows by this factor for each one. */
const growth = isLong ? 1.5 : 3;

/** Kills it, later each time, until it comes to its end; gives how often it was killed. */
async function callUntilDone(begin: () => Called): Promise<number> {
  for (let kills = 0; ; kills += 1) {
    const { child, ended } = begin();
    const timer = setTimeout(() => child.kill("SIGKILL"), 500 * growth ** kills);
    const { code, output } = await ended;
    clearTimeout(timer);
    // Killed when it had said so, while it closed what it had opened.
    if (code === 0 || /Restored |Everything has been copied/.test(output)) return kills;
    expect([code, output]).toEqual([null, expect.anything()]); // killed, never refused
  }
}

test("a backup of a running server is restored into an empty folder, whatever was killed on the way", async () => {
  const backups = join(folder, "backups");
  expect(await call(product.dataDir, ["backup", backups]).ended).toMatchObject({ code: 0 });
  await callUntilDone(() => call(product.dataDir, ["backup", backups, "--keep", "2"]));
  expect(await call(product.dataDir, ["backup", backups, "--check"]).ended).toMatchObject({ code: 0 });
  expect(await readdir(join(backups, "backups"))).toHaveLength(2);

  const restored = join(folder, "restored");
  const kills = await callUntilDone(() => call(restored, ["restore", backups]));
  expect(kills).toBeGreaterThan(0);
  const again = await startProduct({ dataDir: restored, environment });
  expect(await downloads(again)).toEqual(served);
  await signIn(again, "admin", password);
  await again.stop();

  await rm(join(backups, "objects"), { recursive: true });
  const other = join(folder, "other");
  expect(await call(other, ["restore", backups]).ended).toMatchObject({
    code: 2,
    output: expect.stringMatching(/missing or damaged/),
  });
  expect(existsSync(other)).toBe(false);
}, 600_000);

test("an installation moves to PostgreSQL and a bucket, whatever was killed on the way", async () => {
  let [database, bucket]: [PostgresServer | undefined, ObjectStore | undefined] = [undefined, undefined];
  try {
    database = await startPostgresServer();
    bucket = await startObjectStore();
    const to = {
      PACKHOUSE_DATABASE_URL: await database.makeDatabase(),
      PACKHOUSE_STORAGE_URL: await bucket.makeBucket(),
    };
    const { credentials } = bucket;
    const parameters = [
      "promote",
      "--database-url",
      to.PACKHOUSE_DATABASE_URL,
      "--storage-url",
      to.PACKHOUSE_STORAGE_URL,
    ];
    const promote = () => call(product.dataDir, parameters, credentials);
    expect(await promote().ended).toMatchObject({ code: 1, output: expect.stringMatching(/Stop the servers/) });
    await product.kill("SIGTERM");
    expect(await callUntilDone(promote)).toBeGreaterThan(0);
    expect(await promote().ended).toMatchObject({ code: 2, output: expect.stringMatching(/database is not empty/) });

    const moved = await startProduct({ environment: { ...environment, ...to, ...credentials } });
    expect(await downloads(moved)).toEqual(served);
    await signIn(moved, "admin", password);
    await moved.stop();
    const old = await startProduct({ dataDir: product.dataDir, environment });
    expect(await downloads(old)).toEqual(served);
    await old.kill("SIGTERM");
  } finally {
    await database?.stop();
    await bucket?.stop();
  }
}, 600_000);
