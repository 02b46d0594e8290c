import type { InterfaceChange } from "./comparison.ts";

/** Whether calls fail or mean something else. With another default they still work, but differently. */
export const isBreaking = ({ breaks }: Pick<InterfaceChange, "breaks">): boolean =>
  breaks.some(({ why }) => why !== "default-changed");
