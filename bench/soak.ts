import { startLoaded } from "./mixed-load.ts";
import { described, drive, saturated } from "./open-loop.ts";

const minutes = Number(process.env.BENCH_SOAK_MINUTES ?? 30);
const highestRate = 320;
/** Relative growth of memory that counts as growth; less is the normal fluctuation of a heap. */
const tolerated = 0.1;

/** Mixed load at half of what one replica sustains, for half an hour; fails when the memory of the server has grown. */
export async function soak(): Promise<string[]> {
  await using product = await startLoaded(1);
  await drive(product.operations, 5, 5);
  let sustained = 5;
  for (let rate = 10; rate <= highestRate; rate *= 2) {
    if (saturated(await drive(product.operations, rate, 5))) break;
    sustained = rate;
  }
  const rate = Number(process.env.BENCH_SOAK_RATE ?? Math.max(2, sustained / 2));
  const memory: number[] = [];
  for (let minute = 1; minute <= minutes; minute += 1) {
    const step = await drive(product.operations, rate, 60);
    const { servers, database } = await product.memory();
    memory.push(servers);
    process.stdout.write(
      `  … minute ${minute}: ${described(step)}; server ${servers.toFixed(0)} MiB, database ${database.toFixed(0)} MiB\n`,
    );
  }
  // Caches fill and the heap finds its size in the first part.
  const measured = memory.slice(Math.floor(memory.length / 3));
  const growth = (slopeOf(measured) * (measured.length - 1)) / meanOf(measured);
  const grew = growth > tolerated;
  if (grew) process.exitCode = 1;
  return [
    `${minutes} minutes at ${rate}/s: the server's memory ${grew ? "GREW" : "did not grow"}: ${(growth * 100).toFixed(1)} % over the last ${measured.length} minutes, as a line through them`,
  ];
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;

/** Of the straight line nearest to the values, for each step. */
function slopeOf(values: readonly number[]): number {
  const [middle, mean] = [(values.length - 1) / 2, meanOf(values)];
  const covariance = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0);
  const variance = values.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0);
  return variance === 0 ? 0 : covariance / variance;
}
