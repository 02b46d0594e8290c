import type { Logger } from "pino";
import type { Watch } from "./watch.ts";

/** Work of a request or a job that began, or went on, at a time. */
interface Step {
  /** Such as `GET /api/v2/manager/packages/:id` or `job publish-repository`. */
  name: string;
  at: number;
}

// Per process, which has one main thread, regardless of how many instances tests run in it.
const mostSteps = 256;
const steps: Step[] = [];
let next = 0;

/** Notes that work of this name runs from now on; called often, so it is cheap. */
export function noteStep(name: string): void {
  steps[next] = { name, at: performance.now() };
  next = (next + 1) % mostSteps;
}

const tickMs = 100;
const shortestStallMs = 1000;
/** With less work than this in a stall, the machine was busy with something else, or stood still. */
const leastWorkMs = 500;
const mostNames = 5;

interface Context {
  log: Logger;
  watch: Pick<Watch, "mainThreadStalled">;
}

/**
 * Detects when the main thread was blocked for more than a second, and reports by which work. All requests wait then,
 * so each stall is a defect, unless the thread had hardly anything to do in it.
 */
export function watchStalls({ log, watch }: Context): { close(): void } {
  let last = performance.now();
  let cpu = process.threadCpuUsage();
  const timer = setInterval(() => {
    const now = performance.now();
    const ms = now - last - tickMs;
    if (ms > shortestStallMs) {
      const { user, system } = process.threadCpuUsage(cpu);
      const cpuMs = Math.round((user + system) / 1000);
      const { name, recent } = suspectOf(steps, last, now);
      watch.mainThreadStalled({ name, seconds: ms / 1000 });
      // People who start the product on a slow machine need not read about it.
      log[cpuMs < leastWorkMs ? "debug" : "warn"](
        { route: name, ms: Math.round(ms), cpuMs, recent },
        "the main thread was blocked",
      );
    }
    last = performance.now();
    cpu = process.threadCpuUsage();
  }, tickMs);
  timer.unref();
  return { close: () => clearInterval(timer) };
}

/**
 * The step before the longest gap. `recent` are the earlier steps, latest first, for a stall without a preceding step:
 * work that resumed after waiting for something that notes no steps.
 */
export function suspectOf(noted: readonly Step[], from: number, to: number): { name: string; recent: string[] } {
  const sorted = noted.filter(({ at }) => at <= to).toSorted((one, other) => one.at - other.at);
  const within: (Step | undefined)[] = [undefined, ...sorted.filter(({ at }) => at >= from)];
  let suspect: Step | undefined;
  let longest = 0;
  for (const [index, step] of within.entries()) {
    const gap = (within[index + 1]?.at ?? to) - (step?.at ?? from);
    if (gap > longest) [suspect, longest] = [step, gap];
  }
  const until = suspect?.at ?? from;
  const before = sorted.filter(({ at }) => at <= until).map(({ name }) => name);
  return { name: suspect?.name ?? "unknown", recent: [...new Set(before.reverse())].slice(0, mostNames) };
}
