import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { z } from "zod";

/** Reads pages and files like an installer, in a thread of its own, and reports how long each took. */
const { addresses, everyMs, timeoutMs } = z
  .object({ addresses: z.array(z.string()), everyMs: z.number(), timeoutMs: z.number() })
  .parse(workerData);

let ended = false;
parentPort?.on("message", () => {
  ended = true;
  parentPort?.close();
});

for (let count = 0; !ended; count += 1) {
  const address = addresses[count % addresses.length] ?? "";
  const began = performance.now();
  const failure = await read(address);
  const tookMs = performance.now() - began;
  parentPort?.postMessage({ address, at: Date.now(), tookMs, failure });
  await sleep(Math.max(0, everyMs - tookMs));
}

async function read(address: string): Promise<string | undefined> {
  try {
    const response = await fetch(address, { signal: AbortSignal.timeout(timeoutMs) });
    await response.arrayBuffer();
    return response.ok ? undefined : `answered by ${response.status}`;
  } catch (error) {
    return error instanceof Error ? `${error.name} ${String(error.cause ?? "")}` : String(error);
  }
}
