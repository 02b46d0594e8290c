import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { inParallel, quantile, startForBench } from "./organization.ts";

const packages = Number(process.env.BENCH_PACKAGES ?? 5000);
const accepts = 60;

/** Time from the call that accepts to the first answer of the index that names the package, in a repository that is full already. */
export async function acceptToVisible(): Promise<string[]> {
  const { product, administrator, uploader } = await startForBench();
  await using _ = product;
  await administrator.createRepository("R", "full", { published: false });
  const names = Array.from({ length: packages }, (_unused, index) => `filler${String(index).padStart(6, "0")}x`);
  await inParallel(names, 6, async (name) => {
    const file = await smallRPackage(name, "1.0.0", { Imports: "stats, utils" });
    await administrator.upload("R", "full", file);
  });
  const { data } = await administrator.call("GET", "/r/repositories?name=full");
  const [{ id = 0 } = {}] = (data as { content: { id: number }[] }).content;
  await administrator.call("PATCH", `/r/repositories/${id}`, [{ op: "replace", path: "/published", value: true }]);

  const times: number[] = [];
  for (let index = 0; index < accepts; index += 1) {
    const name = `newcomer${index}x`;
    const file = await smallRPackage(name, "1.0.0");
    const submission = await uploader.upload("R", "full", file);
    const started = performance.now();
    await administrator.accept("R", submission.id);
    const text = await (await fetch(`${product.address}/repo/full/src/contrib/PACKAGES`)).text();
    if (!text.includes(`Package: ${name}\n`)) throw new Error(`${name} was accepted and is not in the index`);
    times.push(performance.now() - started);
  }
  return [
    `${packages} packages in the repository, ${accepts} accepts, index read in full after each`,
    `p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
  ];
}
