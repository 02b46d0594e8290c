/** Exports that one server writes at once; each reads as fast as it is taken. A user has one at a time. */
const mostAtOnce = 3;

/** Lets few exports run at once in this process. */
export function exportSlots() {
  const running = new Set<number>();
  return {
    /** A slot, to be given back once; undefined while there is none. */
    take(userId: number): (() => void) | undefined {
      if (running.has(userId) || running.size >= mostAtOnce) return undefined;
      running.add(userId);
      return () => running.delete(userId);
    },
  };
}
