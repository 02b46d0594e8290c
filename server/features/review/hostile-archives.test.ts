import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import { inspectionLimits } from "@packhouse/inspection/limits";
import { rPackage, type SamplePackage, wheel } from "@packhouse/inspection/testing/packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLog } from "../../platform/observability/log.ts";
import { unwatched } from "../../platform/observability/watch.ts";
import { createWorkers, type Workers } from "../../platform/workers/pool.ts";
import { LimitReached } from "../../platform/workers/task-errors.ts";
import { limits } from "./inspections/archive-limits.ts";
import { inspectPackageTask } from "./inspections/inspection-tasks.ts";

const mebibyte = 1024 * 1024;
const filled = (piece: string, bytes: number): string => piece.repeat(Math.floor(bytes / piece.length));
const numbered = (count: number, file: (index: number) => [path: string, text: string | Uint8Array]) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => file(index)));
/** As large as a file of code may be, and more of them than are read. */
const mostCode = inspectionLimits.codeBytes - 1000;
const files = inspectionLimits.allCodeBytes / inspectionLimits.codeBytes + 1;
const modules = (piece: string) => numbered(files, (index) => [`tides/m${index}.py`, filled(piece, mostCode)]);
const scripts = (piece: string) => numbered(files, (index) => [`R/m${index}.R`, filled(piece, mostCode)]);

/** What ends first depends on the machine; a file may also have more code than is read. */
const incompleteCode = ["memory", "time", "size"];

/** What each contains, and for which reasons its inspection may be incomplete; whole if there is none. */
type Hostile = Readonly<Record<string, [make: () => Promise<SamplePackage>, reasons: readonly string[]]>>;

/** Those that take a processor several seconds; `npm run test:long -- archives` has them, too. */
const largest: Hostile = {
  "a text of 200 MB": [() => rPackage({ "inst/a.txt": filled("lorem ipsum\n", 200 * mebibyte) }), ["size"]],
  "R data of a gigabyte": [
    () =>
      rPackage({ "data/a.rda": gzipSync(Buffer.concat([Buffer.from("RDX3\nX\n"), new Uint8Array(1024 * mebibyte)])) }),
    ["size"],
  ],
  "a gigabyte of zeros": [() => wheel({ "tides/a.bin": new Uint8Array(1024 * mebibyte) }), ["size"]],
  "much code of short statements in Python": [() => wheel(modules("a;")), incompleteCode],
  "much code of short statements in R": [() => rPackage(scripts("a;")), incompleteCode],
  "much code of calls in R": [() => rPackage(scripts("f(1,'a');")), incompleteCode],
  "much code that is none": [() => wheel(modules("if (: lambda [ f{")), incompleteCode],
};

const hostile: Hostile = {
  ...(isLong ? largest : {}),
  "more files than are listed": [
    () => rPackage(numbered(inspectionLimits.files, (index) => [`inst/${index}`, ""])),
    ["files", "size"],
  ],
  "a file of code of many megabytes": [() => rPackage({ "R/a.R": filled("f(x)\n", 12 * mebibyte) }), ["size"]],
  "parentheses in parentheses in Python": [
    () => wheel({ "tides/a.py": "(".repeat(100_000) + ")".repeat(100_000) }),
    [],
  ],
  "calls in calls in R": [() => rPackage({ "R/a.R": `${"f(".repeat(100_000)}1${")".repeat(100_000)}` }), ["size"]],
  "a literal as long as a file of code may be": [
    () => wheel({ "tides/a.py": `x = "${filled("A1b2", mostCode)}"` }),
    [],
  ],
};

/** Linux shows how much memory a process has had at most. */
describe.runIf(process.platform === "linux")("the inspection ends within its bounds", { timeout: 120_000 }, () => {
  let workers: Workers;
  beforeAll(() => {
    workers = createWorkers({
      settings: { "workers.count": 1, "workers.seconds": 60, "workers.heapMegabytes": 512, "workers.queue": 1 },
      watch: unwatched,
      log: createLog("silent"),
      program: fileURLToPath(new URL("../../app/worker.ts", import.meta.url)),
    });
  });
  afterAll(() => workers.close());

  test.for(Object.entries(hostile))("of %s", async ([, [make, reasons]]) => {
    const { source, ...what } = await make();
    const started = performance.now();
    const found = await workers
      .run(inspectPackageTask, what, { source, limits, whose: 1 })
      .catch((error: unknown) => (error instanceof LimitReached ? error.limit : Promise.reject(error)));
    // The first one also waits until the worker has started.
    expect(performance.now() - started).toBeLessThan(2 * limits.seconds * 1000);
    // On a busy machine the worker may be stopped before it has put together what it found.
    if (typeof found === "string") return expect(reasons).toContain(found);
    const its = found.incomplete.map(({ reason }) => reason);
    expect(its.length > 0).toBe(reasons.length > 0);
    expect(reasons).toEqual(expect.arrayContaining(its));
    expect(found.signals.some(({ id }) => id === "incomplete")).toBe(its.length > 0);
    expect(found.name).toBe("tides");
  });
});
