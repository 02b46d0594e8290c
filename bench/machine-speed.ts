import { quantile } from "./organization.ts";

/**
 * Milliseconds that the same computation takes on one core, in the middle of nine times. On a machine that is shared with
 * others, figures of two runs say little about the product if these differ.
 */
export function fixedComputation(): number {
  const times = Array.from({ length: 9 }, () => {
    const started = performance.now();
    let value = 1;
    for (let step = 0; step < 50_000_000; step += 1) value = (value * 31 + step) | 0;
    if (value === 0) throw new Error("the computation was left out");
    return performance.now() - started;
  });
  return quantile(times, 0.5);
}
