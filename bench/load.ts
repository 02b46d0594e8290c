import { startLoaded } from "./mixed-load.ts";
import { described, describedEach, drive, type Step, saturated } from "./open-loop.ts";

const seconds = Number(process.env.BENCH_STEP_SECONDS ?? 10);
const rates = (process.env.BENCH_RATES ?? "2,5,10,20,40,80,120,160,240,320,500,640").split(",").map(Number);

/** Clients of all kinds at growing rates, on one replica and on three behind the same balancer, until they cannot keep up. */
export async function load(): Promise<string[]> {
  const one = await untilSaturated(1);
  const three = await untilSaturated(3);
  return [
    ...one.lines,
    ...three.lines,
    one.sustained === 0
      ? "one replica sustains no rate on this machine, so that three cannot be compared with it"
      : `three replicas sustain ${(three.sustained / one.sustained).toFixed(2)} times the rate of one on this machine`,
  ];
}

async function untilSaturated(replicas: number): Promise<{ sustained: number; lines: string[] }> {
  await using product = await startLoaded(replicas);
  const lines: string[] = [];
  const report = (line: string) => {
    process.stdout.write(`  … ${line}\n`); // it takes minutes
    lines.push(line);
  };
  await drive(product.operations, 5, 5); // caches are warm afterward
  let sustained: Step | undefined;
  let last: Step | undefined;
  for (const rate of rates) {
    last = await drive(product.operations, rate, seconds);
    const { servers, database } = await product.memory();
    report(
      `${replicas} replica${replicas > 1 ? "s" : ""}, ${described(last)}; servers ${servers.toFixed(0)} MiB, database ${database.toFixed(0)} MiB`,
    );
    if (saturated(last)) break;
    sustained = last;
  }
  const rate = sustained?.perSecond ?? 0;
  const then = last && saturated(last) ? `saturated at ${last.perSecond}/s` : "not saturated at any rate";
  report(`${replicas} replica${replicas > 1 ? "s" : ""}: ${rate}/s sustained, ${then}`);
  for (const line of sustained ? describedEach(sustained) : []) report(`at that rate ${line}`);
  return { sustained: rate, lines };
}
