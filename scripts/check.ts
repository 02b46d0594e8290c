import { checkStages } from "./check-stages.ts";
import { runStage, tool } from "./stages.ts";

/** `npm run check`: formatting, lint, types, unused code, unit tests. */
let passed = true;
for (const stage of [...checkStages, { name: "unit tests", command: tool("vitest", "run", "--project", "unit") }]) {
  passed = (await runStage(stage)) && passed;
}
process.exitCode = passed ? 0 : 1;
