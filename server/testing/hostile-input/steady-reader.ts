import { setTimeout as sleep } from "node:timers/promises";
import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";

export interface ReaderFigures {
  requests: number;
  /** How long the work took. */
  workMs: number;
  /** Only one answer in a hundred took longer, in milliseconds. */
  p99Ms: number;
  /** The longest that this thread, which also serves, computed without a look at the clock: of a usual processor alone. */
  busiestMs: number;
  /** Answers that were not 200. */
  refused: number;
}

/** Requests pages repeatedly while something else runs, and measures the response times. */
export async function readSteadily<Result>(
  addresses: readonly string[],
  work: () => Promise<Result>,
): Promise<{ result: Result; reader: ReaderFigures }> {
  const times: number[] = [];
  let refused = 0;
  let over = false;
  let busiestMs = 0;
  const watching = (async () => {
    while (!over) {
      const before = cpuMs();
      await sleep(1);
      busiestMs = Math.max(busiestMs, cpuMs() - before);
    }
  })();
  const reading = addresses.map(async (address) => {
    while (!over) {
      const started = performance.now();
      const answer = await fetch(address);
      await answer.arrayBuffer();
      times.push(performance.now() - started);
      if (answer.status !== 200) refused += 1;
      await sleep(10);
    }
  });
  try {
    const started = performance.now();
    const result = await work();
    return { result, reader: figures(performance.now() - started) };
  } finally {
    over = true;
    await Promise.all([...reading, watching]);
  }

  function figures(workMs: number): ReaderFigures {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { requests: sorted.length, workMs, p99Ms: at(0.99), busiestMs: standardMs(busiestMs), refused };
  }
}
