import type { Technology } from "@packhouse/contract/technology";
import { pythonInspector } from "./python/inspector.ts";
import { rInspector } from "./r/inspector.ts";
import type { TechnologyInspector } from "./technology-inspector.ts";

/** Calls the inspector of a technology, whatever it finds in a file. */
type WithInspector = <Result>(run: <Facts>(inspector: TechnologyInspector<Facts>) => Result) => Result;

const calling =
  <Facts>(inspector: TechnologyInspector<Facts>): WithInspector =>
  (run) =>
    run(inspector);

export const inspectors: Record<Technology, WithInspector> = {
  R: calling(rInspector),
  Python: calling(pythonInspector),
};
