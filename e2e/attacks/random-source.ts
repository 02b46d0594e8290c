/** Numbers that look random and come again with the same seed. */
export interface RandomSource {
  /** From 0 up to, but without, `below`. */
  number(below: number): number;
  one<Value>(values: readonly Value[]): Value;
  happens(part: number): boolean;
}

/** Mulberry32. */
export function randomSource(seed: number): RandomSource {
  let state = seed >>> 0;
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
  return {
    number: (below) => Math.floor(next() * below),
    one<Value>(values: readonly Value[]): Value {
      const value = values[Math.floor(next() * values.length)];
      if (value === undefined) throw new Error("nothing to choose from");
      return value;
    },
    happens: (part) => next() < part,
  };
}
