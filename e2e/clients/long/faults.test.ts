import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { startObjectStore } from "@packhouse/server/testing/servers/object-store";
import { startPostgresServer } from "@packhouse/server/testing/servers/postgres-server";
import { smallDisk } from "@packhouse/server/testing/small-disk";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { type RandomSource, randomSource } from "../../attacks/random-source.ts";
import { type Book, isHealthy, newBook, type People, untilNothingIsWrong, work } from "./fault-work.ts";

/**
 * Faults at random moments under uploads, accepts and purges: nothing that was confirmed is lost, and nothing is there
 * by halves. `npm test` has a few with one seed; `npm run test:long` a thousand, and goes on where it was interrupted.
 */
const password = "administrator's password";
const fewFaults = 2;
const asked = process.env.PACKHOUSE_TEST_FAULTS;
const workers = 3;
/** An index then stays as short as one that is looked through after each fault. */
const faultsPerRepository = 15;
const recoveryMs = 90_000;

const progressFile = join(resolve(import.meta.dirname, "../../.."), ".cache/faults.json");
const progress = z.object({ seed: z.number(), total: z.number(), held: z.record(z.string(), z.number()) });
type Progress = z.infer<typeof progress>;

/** Of a long run that was interrupted, or a new one. */
function readProgress(): Progress {
  const fresh = {
    seed: Number(process.env.PACKHOUSE_TEST_FAULT_SEED ?? 8_017),
    total: Number(asked ?? fewFaults),
    held: {},
  };
  if (asked === undefined || !existsSync(progressFile)) return fresh;
  const found = progress.safeParse(JSON.parse(readFileSync(progressFile, "utf8"))).data;
  return found?.total === fresh.total ? found : fresh;
}

function writeProgress(reached: Progress, done: boolean): void {
  if (asked === undefined) return;
  mkdirSync(dirname(progressFile), { recursive: true });
  if (done) rmSync(progressFile, { force: true });
  else writeFileSync(progressFile, JSON.stringify(reached));
}

/** Something that goes wrong, and what brings it back, if anything is needed. */
type Fault = () => Promise<void>;

interface Installation {
  product(): Product;
  faults: Record<string, Fault>;
  stop(): Promise<void>;
}

const { folder: disk, mounted } = smallDisk(500, "The part of the faults that fills a disk");

const people = JSON.stringify([{ login: "uploader", password }]);
const settings = {
  PACKHOUSE_ADMIN_PASSWORD: password,
  PACKHOUSE_PEOPLE: people,
  PACKHOUSE_GENERATE_MANUALS: "false",
  // The sweep at each start then meets uploads of the moment.
  PACKHOUSE_STORAGE_KEEP_UNNAMED_HOURS: "0",
};

/** Starts again by itself, as a supervisor does. */
async function supervised(dataDir: string, environment: Record<string, string>) {
  const port = await freePort();
  const start = () => startProduct({ dataDir, port, environment });
  let product = await start();
  return {
    product: () => product,
    async killAndStart(signal: NodeJS.Signals): Promise<void> {
      await product.kill(signal);
      product = await start();
    },
  };
}

async function onOneMachine(random: RandomSource): Promise<Installation> {
  const dataDir = mounted ? join(disk, "data") : await mkdtemp(join(tmpdir(), "packhouse-faults-"));
  const { product, killAndStart } = await supervised(dataDir, settings);
  const killDatabase = async (signal: NodeJS.Signals) => {
    const file = join(dataDir, "database/postmaster.pid");
    const pid = existsSync(file) ? Number.parseInt(readFileSync(file, "utf8"), 10) : 0;
    if (pid > 1) process.kill(pid, signal);
  };
  const fillDisk = async () => {
    const ballast = join(disk, "ballast");
    spawnSync("dd", ["if=/dev/zero", `of=${ballast}`, "bs=4096"], { stdio: "ignore" }); // ends when nothing fits any more
    // fixed wait: faults come at moments of every kind
    await sleep(random.number(1_500));
    rmSync(ballast, { force: true });
  };
  return {
    product,
    faults: {
      "the server is killed": () => killAndStart("SIGKILL"),
      "the server is asked to stop": () => killAndStart("SIGTERM"),
      "the database is killed": () => killDatabase("SIGKILL"),
      "the database is asked to stop": () => killDatabase("SIGINT"),
      "database and server are killed": async () => {
        await killDatabase("SIGKILL");
        await killAndStart("SIGKILL");
      },
      ...(mounted
        ? {
            "the disk is full": fillDisk,
            "the server is killed while the disk is full": async () => {
              // fixed wait: faults come at moments of every kind
              await Promise.all([fillDisk(), sleep(random.number(500)).then(() => product().kill("SIGKILL"))]);
              await killAndStart("SIGKILL");
            },
          }
        : {}),
    },
    async stop() {
      await product().stop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function onServices(random: RandomSource): Promise<Installation> {
  const [postgres, bucket] = await Promise.all([startPostgresServer(), startObjectStore()]);
  const dataDir = await mkdtemp(join(tmpdir(), "packhouse-faults-"));
  const { product, killAndStart } = await supervised(dataDir, {
    ...settings,
    PACKHOUSE_DATABASE_URL: await postgres.makeDatabase(),
    PACKHOUSE_STORAGE_URL: await bucket.makeBucket(),
    ...bucket.credentials,
  });
  // fixed wait: faults come at moments of every kind
  const awhile = () => sleep(random.number(1_500));
  return {
    product,
    faults: {
      "the server is killed": () => killAndStart("SIGKILL"),
      "the database is lost": async () => {
        await postgres.goDown();
        await awhile();
        await postgres.comeBack();
      },
      "the database hangs": async () => {
        await postgres.pause();
        await awhile();
        await postgres.resume();
      },
      "the bucket is lost": async () => {
        await bucket.goDown();
        await awhile();
        await bucket.comeBack();
      },
      "the bucket hangs": async () => {
        bucket.pause();
        await awhile();
        bucket.resume();
      },
      "the server is killed while the bucket hangs": async () => {
        bucket.pause();
        await awhile();
        const restarted = killAndStart("SIGKILL");
        bucket.resume();
        await restarted;
      },
    },
    async stop() {
      await product().stop();
      await Promise.all([postgres.stop(), bucket.stop()]);
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

const signedIn = async (product: Product): Promise<People> => ({
  administrator: await signIn(product, "admin", password),
  uploader: await signIn(product, "uploader", password),
});

const installations = { "one machine": onOneMachine, "a PostgreSQL server and a bucket": onServices };

describe("faults at random moments", () => {
  const reached = readProgress();
  const each = Math.ceil(reached.total / Object.keys(installations).length);
  test.each(Object.entries(installations))(
    `on %s, ${each} of them, lose nothing that was confirmed`,
    async (name, start) => {
      const from = reached.held[name] ?? 0;
      // Each part of an interrupted run has its own seed, which a failure names.
      const random = randomSource(reached.seed + from);
      const installation = await start(random);
      const counts = new Map<string, number>();
      const books: Book[] = [];
      let confirmed = 0;
      try {
        let present = await signedIn(installation.product());
        let book = newBook("");
        for (let at = from; at < each; at += 1) {
          if (at === from || at % faultsPerRepository === 0) {
            book = newBook(`kept${at}`);
            await present.administrator.createRepository("R", book.repository);
            books.push(book);
          }
          let going = true;
          const working = Array.from({ length: workers }, (_, worker) =>
            work(
              () => present,
              book,
              `${at}x${worker}`,
              () => going,
            ),
          );
          const before = book.stored.size;
          await vi.waitUntil(() => book.stored.size > before, { timeout: recoveryMs, interval: 5 });
          // fixed wait: faults come at moments of every kind
          await sleep(random.number(400));
          const kind = random.one(Object.keys(installation.faults));
          await installation.faults[kind]?.();
          counts.set(kind, (counts.get(kind) ?? 0) + 1);
          // fixed wait: faults come at moments of every kind
          await sleep(random.number(300));
          going = false;
          await Promise.all(working);
          const { address } = installation.product();
          await vi.waitUntil(() => isHealthy(address), { timeout: recoveryMs, interval: 50 });
          present = await vi.waitUntil(() => signedIn(installation.product()).catch(() => undefined), {
            timeout: recoveryMs,
          });
          const wrong = await untilNothingIsWrong(address, present, book, recoveryMs);
          expect(wrong, `fault ${at} (${kind}) of seed ${reached.seed + from}`).toEqual([]);
          reached.held[name] = at + 1;
          writeProgress(reached, false);
          confirmed = books.reduce((sum, { stored }) => sum + stored.size, 0);
          if (at % 10 === 9) process.stdout.write(`${name}: ${at + 1} faults, ${confirmed} uploads confirmed\n`);
        }
        // And everything of before.
        for (const one of books)
          expect(await untilNothingIsWrong(installation.product().address, present, one, recoveryMs)).toEqual([]);
        process.stdout.write(
          `${name}: ${[...counts].map(([kind, count]) => `${count} × ${kind}`).join(", ")}; ${confirmed} uploads confirmed\n`,
        );
      } finally {
        await installation.stop();
      }
      writeProgress(
        reached,
        Object.keys(installations).every((one) => (reached.held[one] ?? 0) >= each),
      );
    },
    120_000 + each * 120_000,
  );
});
