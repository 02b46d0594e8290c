import { monitorEventLoopDelay } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import { quantile } from "./organization.ts";

/** Something that clients do; it throws when it was not served. */
export interface Operation {
  name: string;
  /** Its part of all, as a weight. */
  weight: number;
  run(): Promise<unknown>;
}

/** Milliseconds of what was answered well. */
interface Times {
  p50: number;
  p95: number;
  p99: number;
}

/** The result of one rate. */
export interface Step extends Times {
  perSecond: number;
  /** Answered well, for each second of the step. */
  throughput: number;
  ofEach: Map<string, Times>;
  errors: number;
  /** How many of them for which reason: a status, or in words. */
  reasons: Map<string, number>;
  planned: number;
  /** By how much the driver itself was late, 99 of 100 times; figures below that mean nothing. */
  ownLag: number;
}

/** More waiting calls than this count as a failure; further ones would only measure the driver. */
const mostInFlight = 3000;

/**
 * Sends at a constant rate whatever becomes of what was sent before, as many clients do. Each time counts from when the
 * call was to be sent, so that waiting in a queue shows.
 */
export async function drive(operations: readonly Operation[], perSecond: number, seconds: number): Promise<Step> {
  const lag = monitorEventLoopDelay({ resolution: 10 });
  lag.enable();
  const times = new Map(operations.map(({ name }) => [name, [] as number[]]));
  const reasons = new Map<string, number>();
  const failed = (reason: string) => reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  let inFlight = 0;
  const running: Promise<void>[] = [];
  const planned = Math.round(perSecond * seconds);
  const started = performance.now();
  const order = ordered(operations);
  const send = async (at: number, operation: Operation) => {
    inFlight += 1;
    try {
      await operation.run();
      times.get(operation.name)?.push(performance.now() - at);
    } catch (error) {
      failed(reasonOf(error));
    } finally {
      inFlight -= 1;
    }
  };
  for (let count = 0; count < planned; count += 1) {
    const at = started + (count * 1000) / perSecond;
    const early = at - performance.now();
    if (early > 1) await sleep(early);
    const operation = order[count % order.length];
    if (!operation || inFlight >= mostInFlight) failed("too many wait");
    else running.push(send(at, operation));
  }
  await Promise.all(running);
  const took = Math.max(seconds, (performance.now() - started) / 1000);
  lag.disable();
  const all = [...times.values()].flat();
  return {
    perSecond,
    throughput: all.length / took,
    ...summaryOf(all),
    ofEach: new Map([...times].map(([name, its]) => [name, summaryOf(its)])),
    errors: [...reasons.values()].reduce((sum, count) => sum + count, 0),
    reasons,
    planned,
    ownLag: lag.percentile(99) / 1e6 - 10,
  };
}

function reasonOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error);
  return /answered (\d+)/.exec(message)?.[1] ?? message;
}

const summaryOf = (times: readonly number[]): Times => ({
  p50: quantile(times, 0.5),
  p95: quantile(times, 0.95),
  p99: quantile(times, 0.99),
});

/** The operations as often as their weights say, spread evenly and always in the same order. */
function ordered(operations: readonly Operation[]): Operation[] {
  const all = operations.flatMap((operation) =>
    Array.from({ length: operation.weight }, (_unused, at) => ({ operation, place: (at + 0.5) / operation.weight })),
  );
  return all.sort((a, b) => a.place - b.place).map(({ operation }) => operation);
}

/** More than this cannot be worked off: calls fail, pile up, or wait for longer than people do. */
export const saturated = ({ errors, planned, throughput, perSecond, p95 }: Step): boolean =>
  errors > planned / 100 || throughput < perSecond * 0.9 || p95 > 1000;

const inWords = ({ p50, p95, p99 }: Times): string =>
  `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms`;

const inBrackets = ({ reasons }: Step): string =>
  reasons.size === 0 ? "" : ` (${[...reasons].map(([reason, count]) => `${reason}: ${count}`).join(", ")})`;

/** One line for each operation. */
export const describedEach = ({ ofEach }: Step): string[] =>
  [...ofEach].map(([name, times]) => `${name}: ${inWords(times)}`);

export const described = (step: Step): string =>
  `${step.perSecond}/s: ${step.throughput.toFixed(0)}/s answered, ${inWords(step)}, ${step.errors} of ${step.planned} failed${inBrackets(step)}, driver late by ${step.ownLag.toFixed(0)} ms`;
