import { startTransition, useEffect, useState } from "react";

/**
 * How much of something large to show, so that slow devices stay responsive: step 0 at first, and one step more whenever
 * the browser has shown the previous one, up to the last. Something else begins at step 0 again.
 */
export function useSteps(last: number, something: unknown = null): number {
  const [reached, setReached] = useState({ something, step: 0 });
  const step = Object.is(reached.something, something) ? Math.min(reached.step, last) : 0;
  useEffect(() => {
    if (step < last) startTransition(() => setReached({ something, step: step + 1 }));
  }, [step, last, something]);
  return step;
}
