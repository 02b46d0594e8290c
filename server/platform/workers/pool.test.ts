import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { bytesOf } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { renderManualTask } from "../../features/manuals/manual-tasks.ts";
import {
  locateDependenciesTask,
  readFactsTask,
  readPackageTask,
} from "../../features/packages/contents/package-tasks.ts";
import { readDifferenceTask } from "../../features/review/inspections/inspection-tasks.ts";
import { applyPatchTask } from "../../http/patch/patch-task.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { Refusal } from "../errors/refusal.ts";
import { createLog } from "../observability/log.ts";
import { type TaskEnd, unwatched } from "../observability/watch.ts";
import { createWorkers, type Workers } from "./pool.ts";
import { TaskDefect } from "./task-errors.ts";

const program = fileURLToPath(new URL("../../testing/hostile-input/hostile-worker.ts", import.meta.url));
const ends: { task: string; outcome: TaskEnd }[] = [];
const start = (settings: { count?: number; seconds?: number; heapMegabytes?: number; queue?: number } = {}) =>
  createWorkers({
    settings: {
      "workers.count": settings.count ?? 1,
      "workers.seconds": settings.seconds ?? 20,
      "workers.heapMegabytes": settings.heapMegabytes ?? 128,
      "workers.queue": settings.queue ?? 10,
    },
    watch: { ...unwatched, taskEnded: ({ task, outcome }) => ends.push({ task, outcome }) },
    log: createLog("silent"),
    program,
  });

const archive = (behaviour: string) => ({ fileName: `hostile.${behaviour}_1.0.tar.gz`, kind: "source" as const });
const locate = { technology: "R" as const, repository: "north", needed: [], candidates: [] };
const outcome = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof Refusal ? error.data : error),
  );

let workers: Workers;
beforeAll(() => {
  workers = start({ seconds: 30 });
});
afterAll(() => workers.close());

describe("a worker that exceeds its limit is ended, and the next task gets another one", () => {
  test.for(["heap", "split", "buffers", "stack"])("memory: %s", { timeout: 60_000 }, async (behaviour) => {
    ends.length = 0;
    expect(await outcome(workers.run(renderManualTask, archive(behaviour)))).toEqual([
      "package.processing.limit",
      "package.processing.limit: processing takes more than 128 MB of memory",
    ]);
    expect(ends).toEqual([{ task: "render-manual", outcome: "memory" }]);
    const { bytes, fileName } = await smallRPackage("tidepool", "1.0", {}, {});
    const page = workers.run(renderManualTask, { fileName, kind: "source" }, { source: bytesOf(bytes) });
    expect(await page).toBeUndefined();
  });

  test("time", { timeout: 60_000 }, async () => {
    const impatient = start({ seconds: 1 });
    try {
      const started = performance.now();
      expect(await outcome(impatient.run(renderManualTask, archive("endless")))).toEqual([
        "package.processing.limit",
        "package.processing.limit: processing takes more than 1 seconds",
      ]);
      expect(performance.now() - started).toBeLessThan(15_000);
      const limits = { seconds: 30, megabytes: 128 };
      expect(await impatient.run(locateDependenciesTask, locate, { limits })).toEqual([]);
    } finally {
      await impatient.close();
    }
  });
});

test("an aborted task ends, whether running or waiting", { timeout: 60_000 }, async () => {
  const [running, waiting] = [new AbortController(), new AbortController()];
  const reason = new Refusal("bad.request");
  const first = workers.run(renderManualTask, archive("endless"), { signal: running.signal });
  const second = workers.run(renderManualTask, archive("endless"), { signal: waiting.signal });
  const third = workers.run(locateDependenciesTask, locate);
  for (const task of [first, second]) task.catch(() => undefined); // each is checked below
  await vi.waitUntil(() => workers.waiting === 2, { timeout: 30_000 });
  waiting.abort(reason);
  await expect(second).rejects.toBe(reason);
  ends.length = 0;
  running.abort(reason);
  await expect(first).rejects.toBe(reason);
  expect(ends).toEqual([{ task: "render-manual", outcome: "abandoned" }]);
  expect(await third).toEqual([]);
  await expect(workers.run(locateDependenciesTask, locate, { signal: waiting.signal })).rejects.toBe(reason);
});

test("what a task throws is thrown here, and a defect is not reported as a limit", async () => {
  const notGzip = { source: bytesOf(new Uint8Array(100)) };
  const read = { technology: "R" as const, fileName: "tidepool_1.0.tar.gz", binary: undefined, mirrored: false };
  const { defaultLimits: limits } = await import("@packhouse/formats/package-file");
  const refused = await outcome(workers.run(readPackageTask, { ...read, limits }, notGzip));
  expect(refused).toBeInstanceOf(UnacceptablePackage);
  expect(refused).toHaveProperty("codes", ["could.not.extract.file"]);
  expect(await outcome(workers.run(renderManualTask, archive("defect")))).toEqual(
    new TaskDefect("nothing is where it should be"),
  );
  expect(await outcome(workers.run(renderManualTask, archive("exit")))).toEqual(new TaskDefect("a worker ended"));
});

test("a source that fails is the failure of the task", async () => {
  const lost = new Error("the bucket is gone");
  const source = { size: 1000, read: () => Promise.reject(lost) };
  const given = { fileName: "tidepool_1.0.tar.gz", kind: "source" as const };
  expect(await outcome(workers.run(renderManualTask, given, { source }))).toBe(lost);
});

test("a task that compares reads each of its files, whether it comes with the task or is asked for", async () => {
  const version = async (text: string) =>
    bytesOf((await smallRPackage("tidepool", "1.0", {}, { "R/a.R": text, "R/b.R": noise })).bytes);
  const noise = randomBytes(100_000).toString("hex");
  const side = { fileName: "tidepool_1.0.tar.gz", path: "R/a.R" };
  const input = { before: side, after: side, ignoresWhitespace: false };
  const { bytes } = await smallRPackage("tidepool", "1.0", {}, { "R/a.R": "new <- 1\n" });
  const asked = vi.fn(() => Promise.reject(new Error("a small file is not asked for")));
  const large = await version("old <- 1\n");
  expect(large.size).toBeGreaterThan(64 * 1024);
  const { hunks } = await workers.run(readDifferenceTask, input, {
    source: { ...bytesOf(bytes), read: asked },
    others: [large],
  });
  expect(asked).not.toHaveBeenCalled();
  expect(hunks[0]?.lines.map(({ kind, parts }) => [kind, parts.map(({ text }) => text).join("")])).toEqual([
    ["removed", "old <- 1"],
    ["added", "new <- 1"],
  ]);
});

describe("a task with limits of its own is ended by them", () => {
  test("time", async () => {
    const started = performance.now();
    const limits = { seconds: 0.5, megabytes: 1000 };
    const [, text] = (await outcome(workers.run(renderManualTask, archive("endless"), { limits }))) as string[];
    expect(text).toBe("package.processing.limit: processing takes more than 1 seconds");
    expect(performance.now() - started).toBeLessThan(15_000);
  });

  test.runIf(process.platform === "linux")("memory", { timeout: 60_000 }, async () => {
    const limits = { seconds: 25, megabytes: 32 };
    const [, text] = (await outcome(workers.run(renderManualTask, archive("buffers"), { limits }))) as string[];
    expect(text).toBe("package.processing.limit: processing takes more than 32 MB of memory");
  });
});

test("tasks wait in a bounded queue; users with fewer running tasks come first", { timeout: 60_000 }, async () => {
  const small = start({ count: 2, seconds: 30, queue: 4 });
  try {
    const order: string[] = [];
    const endless = { ...locate, fileName: "hostile.endless_1.0.tar.gz" };
    const input = (fileName: string) => ({
      technology: "R" as const,
      kind: "source" as const,
      fileName,
      metadata: {},
      description: null,
      descriptionContentType: "",
    });
    const run = (whose: number, fileName: string, label: string, limits?: { seconds: number; megabytes: number }) =>
      outcome(small.run(readFactsTask, input(fileName), { whose, ...(limits ? { limits } : {}) })).then((end) => {
        order.push(label);
        return end;
      });
    const short = { seconds: 2, megabytes: 128 };
    const greedy = [1, 2, 3].map((index) => run(1, endless.fileName, `greedy ${index}`, short));
    const modest = run(2, "tidepool_1.0.tar.gz", "modest");
    const over = [run(1, "a_1.0.tar.gz", "over"), run(1, "a_1.0.tar.gz", "over"), run(1, "a_1.0.tar.gz", "over")];
    // No worker has started yet, so four of them wait.
    expect(await Promise.all(over)).toEqual([null, null, null]);
    expect(await modest).toBe("done");
    for (const end of await Promise.all(greedy)) expect(end).toHaveProperty([0], "package.processing.limit");
    expect(order.indexOf("modest")).toBeLessThan(order.indexOf("greedy 3"));
    // Another lane does not wait for them.
    expect(await small.run(locateDependenciesTask, locate)).toEqual([]);
  } finally {
    await small.close();
  }
});

test("ends with its tasks when it is closed", async () => {
  const closing = start();
  const endless = outcome(closing.run(renderManualTask, archive("endless")));
  const waiting = outcome(closing.run(renderManualTask, archive("endless")));
  await expect.poll(() => closing.waiting, { timeout: 25_000 }).toBe(1);
  await closing.close();
  expect([await endless, await waiting]).toEqual([null, null]);
  expect(await outcome(closing.run(locateDependenciesTask, locate))).toBe(null);
});

describe("the processes of workers", () => {
  /** A separate program that runs one task and prints a word when it is done. */
  const startProgram = (fileName: string) => {
    const script = `
      import { readFactsTask } from ${JSON.stringify(new URL("../../features/packages/contents/package-tasks.ts", import.meta.url).href)};
      import { createWorkers } from ${JSON.stringify(new URL("./pool.ts", import.meta.url).href)};
      import { unwatched } from ${JSON.stringify(new URL("../observability/watch.ts", import.meta.url).href)};
      const settings = { "workers.count": 1, "workers.seconds": 600, "workers.heapMegabytes": 128, "workers.queue": 1 };
      const log = { warn() {}, error() {} };
      const workers = createWorkers({ settings, watch: unwatched, log, program: ${JSON.stringify(program)} });
      const input = { technology: "Python", kind: "source", fileName: ${JSON.stringify(fileName)}, metadata: {}, description: null, descriptionContentType: "" };
      await workers.run(readFactsTask, input);
      console.log("done");`;
    return spawn(process.execPath, ["--input-type=module", "-e", script], { stdio: ["ignore", "pipe", "inherit"] });
  };
  const exitOf = (child: ReturnType<typeof startProgram>) =>
    new Promise<number | null>((resolve) => {
      child.once("exit", (code) => resolve(code));
    });

  test("do not keep a finished program alive", { timeout: 60_000 }, async () => {
    const child = startProgram("tidepool-1.0.tar.gz");
    let said = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      said += text;
    });
    expect(await exitOf(child)).toBe(0);
    expect(said).toBe("done\n");
  });

  // Other systems do not show the child processes of a process.
  test.runIf(process.platform === "linux")(
    "end when it is killed, even in a task without an end",
    { timeout: 60_000 },
    async () => {
      const parent = startProgram("hostile.endless_1.0.tar.gz");
      const children = () => readFileSync(`/proc/${parent.pid}/task/${parent.pid}/children`, "utf8").trim();
      const cpuTicks = (pid: string) => {
        const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
        return Number(fields[11]);
      };
      await expect.poll(children, { timeout: 30_000 }).toMatch(/^\d+$/);
      const pid = children();
      // It has used more CPU time than any startup: the task runs.
      await expect.poll(() => cpuTicks(pid), { timeout: 40_000 }).toBeGreaterThan(200);
      parent.kill("SIGKILL");
      await exitOf(parent);
      await expect.poll(() => existsSync(`/proc/${pid}`), { timeout: 15_000 }).toBe(false);
    },
  );
});

test("no user waits for all tasks of another user, even with one worker", async () => {
  const patch = (whose: number) =>
    workers.run(applyPatchTask, { document: {}, operations: [] }, { whose }).then(() => order.push(whose));
  const order: number[] = [];
  await Promise.all([patch(1), patch(1), patch(1), patch(1), patch(2)]);
  expect(order).toEqual([1, 2, 1, 1, 1]);
});
