import { type SmallPackage, smallRPackage } from "@packhouse/server/testing/small-packages";
import { fullRepository } from "./full-repository.ts";
import { inParallel, nameOf, quantile, seconds, startForBench } from "./organization.ts";

const sizes = (process.env.BENCH_SIZES ?? "1000,10000,100000").split(",").map(Number);
const filled = Number(process.env.BENCH_FILLED ?? 10_000);
const calls = 40;

/** How fast a repository is filled by uploads, and what calls take as it grows. */
export async function growth(): Promise<string[]> {
  const { product, administrator, uploader } = await startForBench();
  await using _ = product;
  const lines: string[] = [];
  await administrator.createRepository("R", "filling");
  // Made beforehand: the clients share the processors with the server.
  const files: SmallPackage[] = [];
  for (let index = 0; index < filled; index += 1) {
    const { bytes, ...file } = await smallRPackage(nameOf(index), "1.0.0");
    // A copy, because zlib's memory for each is two hundred times as large.
    files.push({ ...file, bytes: Uint8Array.from(bytes) });
  }
  const filling = await seconds(() => inParallel(files, 8, (file) => administrator.upload("R", "filling", file)));
  lines.push(`${filled} uploads, eight at once: ${(filled / filling).toFixed(0)}/s`);

  for (const size of sizes) {
    const repository = `of${size}`;
    await fullRepository({ product, administrator }, repository, size);
    const times = { upload: [] as number[], accept: [] as number[], list: [] as number[], search: [] as number[] };
    const time = async (what: keyof typeof times, call: () => Promise<unknown>) => {
      times[what].push(1000 * (await seconds(call)));
    };
    for (let index = 0; index < calls; index += 1) {
      const file = await smallRPackage(`newcomer${index}x`, "1.0.0");
      const submission = await uploader.upload("R", repository, file);
      await time("accept", () => administrator.accept("R", submission.id));
      const uploaded = await smallRPackage(`upload${index}x`, "1.0.0");
      await time("upload", () => administrator.upload("R", repository, uploaded));
      await time("list", () => administrator.call("GET", `/packages?repository=${repository}&size=20`));
      await time("search", () => administrator.call("GET", `/packages?search=newcomer${index}`));
    }
    const parts = Object.entries(times).map(
      ([what, its]) => `${what} p50 ${quantile(its, 0.5).toFixed(0)} ms, p99 ${quantile(its, 0.99).toFixed(0)} ms`,
    );
    lines.push(`${size} packages: ${parts.join("; ")}`);
  }
  return lines;
}
