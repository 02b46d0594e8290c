import { type Stage, tool } from "./stages.ts";

/** What shares its options is checked as one program, since most of it imports the server. */
const programs = { "what runs in Node": "tsconfig.node.json", formats: "formats", console: "console", e2e: "e2e" };

/** What needs no program besides Node: seconds to a minute. */
export const checkStages: readonly Stage[] = [
  { name: "format and lint", command: tool("biome", "check", ".", "--error-on-warnings") },
  { name: "promises and cycles", command: tool("oxlint", "--type-aware", "--quiet") },
  ...Object.entries(programs).map(([name, config]) => ({
    name: `types of ${name}`,
    command: tool("tsc", "-p", config),
  })),
  { name: "regular expressions", command: [process.execPath, "scripts/rules/regular-expressions.ts"] },
  { name: "unused code", command: tool("knip", "--no-progress") },
];
