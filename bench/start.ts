import { inDatabaseOf, startProduct } from "@packhouse/server/testing/product";
import { createManyRecords, largeOrganization } from "@packhouse/server/testing/records/many-records";
import { quantile } from "./organization.ts";

const repeats = 5;

/** From the command to the first answer, embedded database included: a new installation's later starts, and a large one's. */
export async function start(): Promise<string[]> {
  const { dataDir, kill, stop } = await startProduct();
  try {
    await kill("SIGTERM");
    const small = await startsOf(dataDir);
    await inDatabaseOf({ dataDir }, (db) => createManyRecords(db, largeOrganization));
    const large = await startsOf(dataDir);
    return [
      `with next to nothing ${inSeconds(small)}`,
      `with ${largeOrganization.packages} packages and ${largeOrganization.events} events ${inSeconds(large)}`,
    ];
  } finally {
    await stop();
  }
}

/** Milliseconds of each of some starts, after a first one that is not counted. */
async function startsOf(dataDir: string): Promise<number[]> {
  const times: number[] = [];
  for (let count = 0; count <= repeats; count += 1) {
    const began = performance.now();
    const { kill } = await startProduct({ dataDir });
    times.push(performance.now() - began);
    await kill("SIGTERM");
  }
  return times.slice(1);
}

const inSeconds = (times: readonly number[]): string =>
  `${(quantile(times, 0.5) / 1000).toFixed(1)} s, at most ${(Math.max(...times) / 1000).toFixed(1)} s`;
