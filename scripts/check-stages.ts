import { type Stage, tool } from "./stages.ts";

const workspaces = ["contract", "formats", "inspection", "fixtures", "server", "console", "e2e", "bench", "scripts"];

/** What needs no program besides Node: seconds to a minute. */
export const checkStages: readonly Stage[] = [
  { name: "format and lint", command: tool("biome", "check", ".", "--error-on-warnings") },
  { name: "promises and cycles", command: tool("oxlint", "--type-aware", "--quiet") },
  ...workspaces.map((workspace) => ({ name: `types of ${workspace}`, command: tool("tsc", "-p", workspace) })),
  { name: "regular expressions", command: [process.execPath, "scripts/regular-expressions.ts"] },
  { name: "unused code", command: tool("knip", "--no-progress") },
];
