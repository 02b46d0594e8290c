import type { Indicator, InspectedFile } from "@packhouse/contract/review/inspection";
import type { PythonFacts } from "../facts.ts";
import type { PublicInterface } from "./public-interface.ts";

export interface Indicated {
  files: readonly InspectedFile[];
  code: ReadonlyMap<string, PythonFacts>;
  interface: PublicInterface;
}

export function pythonIndicators({ files, code, interface: offered }: Indicated): Indicator[] {
  const { documented, documentable } = offered;
  const tests = [...code.values()].reduce((sum, facts) => sum + facts.tests, 0);
  const typed = files.find(({ path }) => path.endsWith("/py.typed"));
  return [
    { id: "documented", value: documentable === 0 ? null : `${documented} of ${documentable}`, source: null },
    { id: "tests", value: String(tests), source: null },
    { id: "typed", value: typed ? "yes" : "no", source: typed?.path ?? null },
  ];
}
