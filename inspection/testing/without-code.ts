import type { TechnologyInspector } from "../technology-inspector.ts";

/** Reads no code, for tests of everything else. */
export const withoutCode: TechnologyInspector<null> = {
  grammar: "r",
  isCode: () => false,
  isKept: () => false,
  inspectCode: () => null,
  finish: () => ({ interface: [], signals: [], indicators: [] }),
};
