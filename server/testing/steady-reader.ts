import { setTimeout as sleep } from "node:timers/promises";

export interface ReaderFigures {
  requests: number;
  /** The slowest answer, in milliseconds; and the one that only one in a hundred is slower than. */
  slowestMs: number;
  p99Ms: number;
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
    const result = await work();
    return { result, reader: figures() };
  } finally {
    over = true;
    await Promise.all(reading);
  }

  function figures(): ReaderFigures {
    const sorted = times.toSorted((one, other) => one - other);
    const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
    return { requests: sorted.length, slowestMs: at(1), p99Ms: at(0.99), refused };
  }
}
