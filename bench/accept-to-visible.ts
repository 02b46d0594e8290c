import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { fullRepository, namesIn } from "./full-repository.ts";
import { quantile, seconds, startForBench } from "./organization.ts";

const sizes = (process.env.BENCH_PACKAGES ?? "1000,23000,100000").split(",").map(Number);
const accepts = 200;
/** The first ones after a start take up to four times as long, while the engine compiles what they run. */
const acceptsBefore = 20;
/** Of so many accepts, the index is read in full after one, which is not part of its time. */
const readEvery = 10;

/** Computes for about as long as an accept takes, without disk, network or other processes. */
function computeOnly(): number {
  let sum = 0;
  for (let index = 0; index < 20_000_000; index += 1) sum += index % 7;
  return sum;
}

/** Time from the call that accepts to the first answer with a new index, in repositories that are full already. */
export async function acceptToVisible(): Promise<string[]> {
  const { product, administrator, uploader } = await startForBench();
  await using _ = product;
  const lines: string[] = [];
  for (const size of sizes) {
    const repository = `full${size}`;
    const index = await fullRepository({ product, administrator }, repository, size);
    const tagOf = async () => (await fetch(index, { method: "HEAD" })).headers.get("etag");
    const times: number[] = [];
    const computations: number[] = [];
    for (let count = -acceptsBefore; count < accepts; count += 1) {
      const name = `newcomer${acceptsBefore + count}x`;
      const submission = await uploader.upload("R", repository, await smallRPackage(name, "1.0.0"));
      const before = await tagOf();
      const started = performance.now();
      await administrator.accept("R", submission.id);
      if ((await tagOf()) === before) throw new Error(`${name} was accepted and the index is the same`);
      if (count < 0) continue;
      times.push(performance.now() - started);
      computations.push(1000 * (await seconds(async () => computeOnly())));
      if (count % readEvery === 0 && !(await namesIn(index)).has(name)) throw new Error(`${name} is not in the index`);
    }
    const ofBoth = (its: number[]) =>
      `p50 ${quantile(its, 0.5).toFixed(0)} ms, p99 ${quantile(its, 0.99).toFixed(0)} ms`;
    lines.push(
      `${size} packages in the repository, ${accepts} accepts: ${ofBoth(times)}; as many computations: ${ofBoth(computations)}`,
    );
  }
  return lines;
}
