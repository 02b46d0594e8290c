import { setTimeout as sleep } from "node:timers/promises";
import { reviewLevel } from "@packhouse/contract/review/release";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { z } from "zod";
import { namesIn } from "./full-repository.ts";
import { inParallel, nameOf, quantile, seconds, startForBench } from "./organization.ts";

const counted = z.object({ page: z.object({ totalElements: z.number() }) });
const waiting = Number(process.env.BENCH_WAITING ?? 1000);

/** Waiting submissions that are accepted one after the other, and as many in one call. */
export async function decisions(): Promise<string[]> {
  const { product, administrator, uploader } = await startForBench();
  await using _ = product;
  const submit = async (repository: string) => {
    await administrator.createRepository("R", repository);
    const ids: number[] = [];
    await inParallel(
      Array.from({ length: waiting }, (_unused, index) => index),
      6,
      async (index) => {
        const file = await smallRPackage(nameOf(index), "1.0.0");
        ids.push((await uploader.upload("R", repository, file)).id);
      },
    );
    return ids;
  };
  const listed = async (repository: string) => {
    const count = (await namesIn(`${product.address}/repo/${repository}/src/contrib/PACKAGES`)).size;
    if (count !== waiting) throw new Error(`the index lists ${count} of ${waiting} accepted packages`);
  };

  /** Until reviewers would see what is new in each of them; the server is busy with that until then. */
  const inspected = async (repository: string) => {
    const path = `/reviews?repository=${repository}&level=${reviewLevel.options.join("&level=")}&size=1`;
    for (;;) {
      const { data } = await administrator.call("GET", path);
      if (counted.parse(data).page.totalElements === waiting) return;
      await sleep(1000); // fixed wait: inspections run in the background
    }
  };

  const times: number[] = [];
  const singly = await submit("singly");
  await inspected("singly");
  for (const id of singly) times.push(1000 * (await seconds(() => administrator.accept("R", id))));
  await listed("singly");
  const ids = await submit("together");
  const together = await seconds(() =>
    administrator.call("POST", "/submissions/decisions", { decision: "ACCEPTED", submissions: ids }),
  );
  await listed("together");
  return [
    `${waiting} inspected submissions accepted one after the other: ${(times.reduce((sum, time) => sum + time, 0) / 1000).toFixed(1)} s, p50 ${quantile(times, 0.5).toFixed(0)} ms, p99 ${quantile(times, 0.99).toFixed(0)} ms`,
    `${waiting} in one call: ${together.toFixed(1)} s`,
  ];
}
