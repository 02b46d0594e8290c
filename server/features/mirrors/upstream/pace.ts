import { setTimeout as sleep } from "node:timers/promises";

/** Spaces requests to each host evenly. */
export function createPace(perSecond: number): (host: string, signal: AbortSignal) => Promise<void> {
  const spacing = 1000 / perSecond;
  const nextOf = new Map<string, number>();
  return async (host, signal) => {
    const now = performance.now();
    const turn = Math.max(now, nextOf.get(host) ?? 0);
    nextOf.set(host, turn + spacing);
    if (turn > now) await sleep(turn - now, undefined, { signal });
  };
}

/** Runs `work` for each item, a limited number at a time. The first failure ends it, once running work has ended. */
export async function forEach<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  let next = 0;
  let failed = false;
  const worker = async () => {
    while (!failed && next < items.length) {
      const item = items[next] as Item; // the index is within bounds
      next += 1;
      try {
        await work(item);
      } catch (error) {
        failed = true;
        throw error;
      }
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: Math.min(atOnce, items.length) }, worker));
  const failure = outcomes.find((outcome) => outcome.status === "rejected");
  if (failure) throw failure.reason;
}
