import { setTimeout as sleep } from "node:timers/promises";
import { type Attack, Harm, p99Ms } from "./attack.ts";
import { type Read, type Scene, startScene } from "./scene.ts";

/** How long one attack may take; a server that needs longer counts as stopped by it. */
const attackTimeoutMs = 90_000;
/** Above what the server had before the attack. */
const mostGrowthMb = 700;
const mostMemoryMb = 1_500;
/** While an attack runs, one read may take so long. */
const longestReadMs = 2_000;
/** Under made-up calls and uploads, all but one of 200 reads take less: one may meet a busy machine. */
const longestStallMs = 500;
const stalledPart = 1 / 200;
/** With fewer reads, as when a single attack is tried, the slowest hundredth means nothing. */
const fewestReads = 500;

export interface Result {
  attack: Pick<Attack, "kind" | "variant">;
  /** Why it has succeeded; undefined when the product withstood it. */
  harm: string | undefined;
  outcome: string;
  seconds: number;
  memoryMb: number;
  longestReadMs: number;
}

/** Starts the product, runs each attack while a reader reads, and reports each result as soon as it is there. */
export async function runAttacks(attacks: readonly Attack[], report: (result: Result) => void): Promise<Result[]> {
  const results: Result[] = [];
  await using scene = await startScene();
  const interrupted = new AbortController();
  const interrupt = () => interrupted.abort();
  process.once("SIGINT", interrupt).once("SIGTERM", interrupt);
  let readEnd: number | undefined;
  for (const attack of attacks.toSorted(
    (one, other) => Number(one.disruptive ?? false) - Number(other.disruptive ?? false),
  )) {
    if (interrupted.signal.aborted) break;
    if (attack.disruptive) readEnd ??= scene.reads.length;
    const result = await runOne(attack, scene);
    results.push(result);
    report(result);
    // What one attack left behind must not count for the next.
    if (result.harm !== undefined && !(await recovers(scene))) await scene.restart();
  }
  process.off("SIGINT", interrupt).off("SIGTERM", interrupt);
  if (interrupted.signal.aborted) throw new Error("The attacks were interrupted.");
  const undisturbed = scene.reads.slice(0, readEnd);
  const reads = summaryOf(undisturbed);
  const attack = { kind: "a reader during the whole run", variant: `${reads.count} index pages and files` };
  const harm =
    reads.failures > 0
      ? `${reads.failures} reads failed: ${undisturbed.find(({ failure }) => failure !== undefined)?.failure}`
      : reads.count >= fewestReads && reads.p99 > p99Ms
        ? `1 of 100 reads took more than ${Math.round(reads.p99)} ms`
        : undefined;
  const outcome = `p50 ${Math.round(reads.p50)} ms, p99 ${Math.round(reads.p99)} ms, worst ${Math.round(reads.worst)} ms`;
  const last = { attack, harm, outcome, seconds: 0, memoryMb: scene.memoryMb(), longestReadMs: reads.worst };
  results.push(last);
  report(last);
  return results;
}

async function runOne(attack: Attack, scene: Scene): Promise<Result> {
  const began = Date.now();
  const timeoutMs = attack.timeoutMs ?? attackTimeoutMs;
  const { pid } = scene;
  const memoryBefore = scene.memoryMb();
  let memoryMb = memoryBefore;
  const watching = setInterval(() => {
    memoryMb = Math.max(memoryMb, scene.memoryMb());
  }, 100);
  const over = new AbortController();
  let outcome = "";
  let harm: string | undefined;
  try {
    outcome = await Promise.race([
      attack.run(untilAborted(scene, over.signal)),
      sleep(timeoutMs, undefined, { ref: false }).then(() => {
        throw new Harm(`it goes on for more than ${timeoutMs / 1000} s`);
      }),
    ]);
    if (!(await scene.isWell())) harm = "the server does not answer any more";
  } catch (error) {
    harm = error instanceof Error ? error.message : String(error);
  } finally {
    over.abort();
    clearInterval(watching);
  }
  const reads = scene.reads.filter(({ at }) => at >= began);
  const longest = Math.max(0, ...reads.map(({ tookMs }) => tookMs));
  if (scene.pid !== pid) harm ??= "the server was started again";
  if (memoryMb - memoryBefore > mostGrowthMb || memoryMb > mostMemoryMb)
    harm ??= `the server took ${memoryMb} MB (${memoryBefore} MB before)`;
  const stalled = reads.filter(({ tookMs }) => tookMs > longestStallMs).length;
  if (attack.disruptive && stalled > Math.max(1, reads.length * stalledPart))
    harm ??= `${stalled} of ${reads.length} reads took more than ${longestStallMs} ms`;
  if (longest > longestReadMs) harm ??= `another reader waited ${(longest / 1000).toFixed(1)} s for a page`;
  return {
    attack: { kind: attack.kind, variant: attack.variant },
    harm,
    outcome,
    seconds: (Date.now() - began) / 1000,
    memoryMb,
    longestReadMs: longest,
  };
}

/** An attack that took too long must not continue during the next one. */
function untilAborted(scene: Scene, signal: AbortSignal): Scene {
  const own: Scene = Object.create(scene);
  own.send = async (...call) => {
    signal.throwIfAborted();
    return scene.send(...call);
  };
  own.upload = async (...call) => {
    signal.throwIfAborted();
    return scene.upload(...call);
  };
  return own;
}

/** A server that is only busy is given a moment; one that answers in it goes on. */
async function recovers(scene: Scene): Promise<boolean> {
  const began = Date.now();
  if (!(await scene.isWell())) return false;
  return Date.now() - began < 5_000;
}

function summaryOf(reads: readonly Read[]) {
  const times = reads.map(({ tookMs }) => tookMs).sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return {
    count: times.length,
    p50: at(0.5),
    p99: at(0.99),
    worst: times.at(-1) ?? 0,
    failures: reads.filter(({ failure }) => failure !== undefined).length,
  };
}
