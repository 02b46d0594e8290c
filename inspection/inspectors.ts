import type { Technology } from "@packhouse/contract/technology";
import { rInspector } from "./r/inspector.ts";
import type { TechnologyInspector } from "./technology-inspector.ts";

/** Reads no code: for what the inspector of a technology leaves open, and for tests of the rest. */
export const withoutCode: TechnologyInspector<null> = {
  grammar: "r",
  isCode: () => false,
  isKept: () => false,
  inspectCode: () => null,
  finish: () => ({ interface: [], signals: [], indicators: [] }),
};

/** Calls the inspector of a technology, whatever it finds in a file. */
type WithInspector = <Result>(run: <Facts>(inspector: TechnologyInspector<Facts>) => Result) => Result;

const calling =
  <Facts>(inspector: TechnologyInspector<Facts>): WithInspector =>
  (run) =>
    run(inspector);

export const inspectors: Record<Technology, WithInspector> = {
  R: calling(rInspector),
  Python: calling(withoutCode),
};
