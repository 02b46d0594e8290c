import { useCallback, useLayoutEffect, useRef } from "react";

/** A function that stays the same, so that it renders no row again, and calls what was given last. */
export function useStableCallback<Args extends readonly unknown[], Result>(
  given: (...args: Args) => Result,
): (...args: Args) => Result {
  const latest = useRef(given);
  useLayoutEffect(() => {
    latest.current = given;
  });
  return useCallback((...args) => latest.current(...args), []);
}
