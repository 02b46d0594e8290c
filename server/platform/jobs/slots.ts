/** A semaphore: lets a limited number through; the others wait for their turn. */
export function createSlots(most: number): <Result>(work: () => Promise<Result>) => Promise<Result> {
  const waiting: (() => void)[] = [];
  let free = most;
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((resume) => waiting.push(resume));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/**
 * The same for work of several owners. A slot goes to the one who has the fewest, and no one gets the last one while
 * having all others: slow work of one owner delays the others, but does not stop them.
 */
export function createSharedSlots(
  most: number,
): <Result>(owner: string, work: () => Promise<Result>) => Promise<Result> {
  const mostOfOne = Math.max(1, most - 1);
  const used = new Map<string, number>();
  const waiting: { owner: string; start(): void }[] = [];
  let free = most;

  const usedBy = (owner: string) => used.get(owner) ?? 0;
  const occupy = (owner: string) => {
    free -= 1;
    used.set(owner, usedBy(owner) + 1);
  };
  const release = (owner: string) => {
    free += 1;
    if (usedBy(owner) > 1) used.set(owner, usedBy(owner) - 1);
    else used.delete(owner);
    const [next] = waiting
      .filter((waiter) => usedBy(waiter.owner) < mostOfOne)
      .toSorted((one, other) => usedBy(one.owner) - usedBy(other.owner));
    if (!next) return;
    waiting.splice(waiting.indexOf(next), 1);
    occupy(next.owner);
    next.start();
  };

  return async (owner, work) => {
    if (free > 0 && usedBy(owner) < mostOfOne) occupy(owner);
    else await new Promise<void>((start) => waiting.push({ owner, start }));
    try {
      return await work();
    } finally {
      release(owner);
    }
  };
}
