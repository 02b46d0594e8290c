import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "oxc-parser";
import { z } from "zod";
import { project } from "../stages.ts";

// In JavaScript only: the programs that it could also use are not installed, see `overrides` in package.json.
process.env.RECHECK_SYNC_BACKEND = "pure";
const { checkSync } = await import("recheck");

/** An exception is written next to its expression, with the reason: `// bounded expression: we write these names ourselves`. */
const exception = "// bounded expression:";

interface Expression {
  line: number;
  /** Undefined for one that is put together while the product runs, which cannot be checked in advance. */
  source: string | undefined;
  flags: string;
}

const astNode = z.looseObject({ type: z.string(), start: z.number(), end: z.number() });
const regExpLiteral = z.object({ regex: z.object({ pattern: z.string(), flags: z.string() }) });
const called = z.object({
  callee: z.looseObject({ name: z.string().optional(), property: z.looseObject({ name: z.string() }).optional() }),
  arguments: z.array(z.looseObject({ type: z.string(), value: z.unknown().optional() })),
});
const methodsWithExpressions = new Set(["match", "matchAll", "search"]);

function expressionsOf(path: string, text: string): Expression[] {
  const found: Expression[] = [];
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) {
      for (const element of value) visit(element);
      return;
    }
    const node = astNode.safeParse(value);
    if (!node.success) return;
    const line = () => text.slice(0, node.data.start).split("\n").length;
    const literal = regExpLiteral.safeParse(value);
    if (literal.success)
      found.push({ line: line(), source: literal.data.regex.pattern, flags: literal.data.regex.flags });
    const made = madeExpression(value);
    if (made) found.push({ line: line(), ...made });
    for (const child of Object.values(node.data)) if (typeof child === "object") visit(child);
  };
  visit(parseSync(path, text).program);
  return found;
}

/** What `RegExp("…")` makes, and the text methods that make an expression of a text. */
function madeExpression(value: unknown): Omit<Expression, "line"> | undefined {
  const call = called.safeParse(value);
  if (!call.success) return undefined;
  const {
    callee,
    arguments: [pattern, flags],
  } = call.data;
  const constant = (argument: typeof pattern): string | undefined =>
    argument?.type === "Literal" && typeof argument.value === "string" ? argument.value : undefined;
  if (callee.name === "RegExp") return { source: constant(pattern), flags: flags ? (constant(flags) ?? "") : "" };
  const makesOne = methodsWithExpressions.has(callee.property?.name ?? "");
  if (makesOne && (constant(pattern) !== undefined || pattern?.type === "TemplateLiteral"))
    return { source: constant(pattern), flags: "" };
  return undefined;
}

/** By flags and source, why an expression is refused; empty for one whose time is proven to grow no faster than its text. */
type Known = Map<string, string>;

function fault({ source, flags }: Expression, known: Known): string {
  if (source === undefined) return "is put together while the product runs";
  if (isBounded(source, flags)) return "";
  const key = `${flags}/${source}`;
  const analyzed = known.get(key) ?? analyze(source, flags);
  known.set(key, analyzed);
  return analyzed;
}

/** Anchored to the start of the text, and without unbounded repetition: it looks at a bounded number of characters. */
const isBounded = (source: string, flags: string): boolean =>
  source.startsWith("^") && !flags.includes("m") && !/[*+|]|\{\d+,\}/.test(source.replaceAll(/\\[*+|]/g, ""));

/** The slowest takes some five seconds of processor time, for which a busy machine may need minutes. */
const analysisMs = 300_000;

function analyze(source: string, flags: string): string {
  const result = checkSync(source, flags, { timeout: analysisMs });
  if (result.status === "vulnerable")
    return `takes ${result.complexity.summary} time, for instance for ${result.attack.pattern}`;
  if (result.status === "unknown") return "could not be checked";
  return result.checker === "automaton" ? "" : "was tried, but not proven to take linear time";
}

const hasException = (lines: readonly string[], line: number): boolean =>
  lines.slice(Math.max(line - 4, 0), line).some((text) => {
    const at = text.indexOf(exception);
    return at !== -1 && text.slice(at + exception.length).trim().length > 10;
  });

/** The expressions of a file that may take longer than in proportion to their text, each with its line and why. */
export function riskyExpressions(path: string, text: string, known: Known = new Map()): string[] {
  const lines = text.split("\n");
  return expressionsOf(path, text).flatMap((expression) => {
    const { line, source, flags } = expression;
    const why = hasException(lines, line) ? "" : fault(expression, known);
    return why ? [`${path}:${line} ${source === undefined ? "an expression" : `/${source}/${flags}`} ${why}`] : [];
  });
}

const workspaces = ["formats", "inspection", "contract", "console", "server"];
/** Browsers run these as they are. */
const extensions = /\.(?:ts|tsx|js)$/;
const notProduct = /(?:^|\/)(?:node_modules|dist|testing|fixtures)\/|\.test\.tsx?$|\.d\.ts$/;

const productFiles = (): string[] =>
  workspaces
    .flatMap((workspace) =>
      readdirSync(join(project, workspace), { recursive: true, encoding: "utf8" }).map((path) => join(workspace, path)),
    )
    .filter((path) => extensions.test(path) && !notProduct.test(path))
    .sort();

/**
 * Expressions that were proven to take linear time: to prove them all takes a minute. `npm run test:long` proves them
 * again (`--all`); with `--record` this program writes the file.
 */
const record = join(project, "scripts/rules/proven-expressions.json");

const recorded = (): Known =>
  new Map(
    z
      .array(z.string())
      .parse(JSON.parse(readFileSync(record, "utf8")))
      .map((expression) => [expression, ""]),
  );

/** The faults of the product's expressions, and all that were looked at: those in `known` are not analyzed. */
function checkProduct(known: Known): { faults: string[]; analyzed: Known } {
  const before = new Set(known.keys());
  const faults = productFiles().flatMap((path) =>
    riskyExpressions(path, readFileSync(join(project, path), "utf8"), known),
  );
  return { faults, analyzed: new Map([...known].filter(([expression]) => !before.has(expression))) };
}

function main(option: string | undefined): boolean {
  const { faults, analyzed } = checkProduct(option === undefined ? recorded() : new Map());
  for (const text of faults) process.stdout.write(`${text}\n`);
  if (faults.length > 0)
    process.stdout.write(
      `Write a parser instead (formats/python/requirements.ts shows one), or above the expression: ${exception} and why nobody can make its text long.\n`,
    );
  else if (option === "--record") writeFileSync(record, `${JSON.stringify([...analyzed.keys()].sort(), null, 2)}\n`);
  else if (option === undefined && analyzed.size > 0)
    process.stdout.write(
      `New expressions take linear time (${analyzed.size}). To record that: node scripts/rules/regular-expressions.ts --record\n`,
    );
  return faults.length === 0;
}

if (import.meta.main) process.exitCode = main(process.argv[2]) ? 0 : 1;
