import { Worker } from "node:worker_threads";
import { readManualSource } from "@packhouse/formats/r/manual/manual-source";
import type { ManualSource } from "@packhouse/formats/r/manual/render-manual";
import type { StoredPackage } from "@packhouse/formats/r/vignettes";
import { createSlots } from "../jobs/slots.ts";

/** The largest manuals of CRAN take a second; what takes longer is made to. */
const timeLimitMs = 20_000;
const memoryLimitMb = 512;

const inTurn = createSlots(1);

/**
 * The reference manual of a package as one page; undefined when it has no documentation to read. The text of strangers
 * is worked on aside, within bounds, one package after the other: whoever else asks something meanwhile does not wait.
 */
export async function htmlManual(stored: StoredPackage): Promise<string | undefined> {
  const source = await readManualSource(stored);
  return source && inTurn(() => render(source));
}

function render(source: ManualSource): Promise<string> {
  const worker = new Worker(new URL("./render-manual-worker.ts", import.meta.url), {
    workerData: source,
    resourceLimits: { maxOldGenerationSizeMb: memoryLimitMb },
  });
  return new Promise<string>((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error("the manual took too long")), timeLimitMs);
    worker.once("message", resolve).once("error", reject);
    worker.once("exit", () => {
      clearTimeout(timer);
      reject(new Error("the manual could not be rendered"));
    });
  }).finally(() => worker.terminate());
}
