import { writeFile } from "node:fs/promises";
import { allAttacks } from "../e2e/attacks/all-attacks.ts";
import { descriptionKind } from "../e2e/attacks/fuzzing.ts";
import { type Result, runAttacks } from "../e2e/attacks/run-attacks.ts";
import { providePypiPrograms } from "./programs.ts";
import { provideTestedBuilds } from "./tested-builds.ts";

/**
 * `npm run attack -- [--short] [word …]`: starts the product as a user would and attacks it, while a reader reads all the
 * time. Ends with a table and how many attacks it withstood; with words, runs only the attacks that have one of them in
 * their description.
 */
const words = process.argv.slice(2);
const short = words.includes("--short");
const reportFile = process.env.PACKHOUSE_TEST_ATTACK_REPORT;
const wanted = words.filter((word) => !word.startsWith("--"));
const chosen = allAttacks
  .filter(({ long }) => !short || !long)
  .filter(({ kind, variant }) => wanted.length === 0 || wanted.some((word) => `${kind}: ${variant}`.includes(word)));

const line = ({ attack, harm, outcome, seconds, memoryMb, longestReadMs }: Result): string =>
  [
    harm === undefined ? "withstood" : "HARMED   ",
    `${attack.kind}: ${attack.variant}`,
    harm ?? outcome,
    `${seconds.toFixed(1)} s, ${memoryMb} MB, reads up to ${Math.round(longestReadMs)} ms`,
  ].join(" | ");

if (chosen.some(({ kind }) => kind === descriptionKind)) await providePypiPrograms(["schemathesis"]);
await provideTestedBuilds();
const results = await runAttacks(chosen, (result) => process.stdout.write(`${line(result)}\n`));
const harmed = results.filter(({ harm }) => harm !== undefined);

const kinds = [...new Set(results.map(({ attack }) => attack.kind))];
const width = Math.max(...kinds.map(({ length }) => length));
process.stdout.write(`\n${"Attack".padEnd(width)}  Withstood\n`);
for (const kind of kinds) {
  const its = results.filter(({ attack }) => attack.kind === kind);
  const held = its.filter(({ harm }) => harm === undefined).length;
  process.stdout.write(`${kind.padEnd(width)}  ${held} of ${its.length}\n`);
}
process.stdout.write(`\n${results.length - harmed.length} withstood, ${harmed.length} harmed\n`);
if (reportFile !== undefined) {
  const failures = harmed.map(({ attack, harm }) => `${attack.kind}: ${attack.variant}\n  ${harm}`);
  await writeFile(
    reportFile,
    JSON.stringify({ passed: results.length - harmed.length, failed: harmed.length, failures }),
  );
}
process.exitCode = harmed.length === 0 ? 0 : 1;
