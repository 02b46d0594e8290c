/** Exports that one server runs at a time; each reads as fast as its client takes it. A user has one at a time. */
const mostAtOnce = 3;

/** Limits concurrent exports in this process. */
export function exportSlots() {
  const running = new Set<number>();
  return {
    /** A slot, to be released once; undefined while there is none. */
    take(userId: number): (() => void) | undefined {
      if (running.has(userId) || running.size >= mostAtOnce) return undefined;
      running.add(userId);
      return () => running.delete(userId);
    },
  };
}
