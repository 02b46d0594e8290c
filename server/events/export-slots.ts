/** Exports that one server writes at once, and of one person: each reads as fast as it is taken. */
const mostAtOnce = 3;
const mostPerPerson = 1;

/** Lets few exports run at once in this process. */
export function exportSlots() {
  const running = new Map<number, number>();
  const all = () => [...running.values()].reduce((sum, count) => sum + count, 0);
  return {
    /** A slot to be given back once, or undefined while there is none. */
    take(personId: number): (() => void) | undefined {
      const own = running.get(personId) ?? 0;
      if (own >= mostPerPerson || all() >= mostAtOnce) return undefined;
      running.set(personId, own + 1);
      let taken = true;
      return () => {
        if (!taken) return;
        taken = false;
        const left = (running.get(personId) ?? 1) - 1;
        if (left > 0) running.set(personId, left);
        else running.delete(personId);
      };
    },
  };
}
