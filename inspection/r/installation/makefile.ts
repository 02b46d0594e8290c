import type { Signal } from "@packhouse/contract/review/inspection";
import { type Found, LineFindings } from "./line-findings.ts";
import { commentOf, linesOf, type ReadLines } from "./lines.ts";
import { commandsOf, nameOf, programOf, shells } from "./shell-commands.ts";
import { downloading, isUsual, oneLine, shellFinding } from "./shell-line.ts";
import { expanded, longestValue } from "./shell-variables.ts";

/** Programs that ordinary recipes run. */
const building = new Set(
  [
    "rm cp mv mkdir rmdir ln touch chmod tar gunzip unzip ls find xargs which pwd cd dirname basename",
    "cc gcc g++ clang clang++ gfortran make cmake ar ranlib strip nm ldd lipo otool objcopy objdump dlltool windres",
    "install_name_tool patchelf pkg-config uname",
    "echo printf cat head sort grep sed awk tr cut test [ true exit export then fi else do done for if command",
  ].flatMap((names) => names.split(" ")),
);

/** What a command prints goes there: `2>/dev/null`. */
const nowhere = "/dev/null";

export function makeSignals(path: string, text: string): Signal[] {
  const found = new LineFindings(path, "r-makevars-shell");
  const { lines, isCut } = makeLines(text);
  const values = new Map<string, string>();
  let prefix = "\t";
  for (const { index, line: raw } of lines) {
    const changed = /^\.RECIPEPREFIX[ \t]{0,9}:{0,3}=[ \t]{0,9}(\S)/.exec(raw.slice(0, 60))?.[1];
    if (changed !== undefined) prefix = changed;
    const isRecipe = raw.startsWith(prefix) || raw.startsWith("\t");
    const assigned = isRecipe ? null : assignedInMake(raw);
    if (assigned) values.set(assigned.name, assigned.value.slice(0, longestValue));
    const runs = [...shellsOf(raw), ...(assigned?.runs ? [assigned.value] : [])];
    const recipe = isRecipe ? raw.slice(1) : recipeAfterRule(raw);
    if (assigned?.name === "SHELL" && !shells.has(nameOf(assigned.value.trim())))
      found.add(index, { level: "warning", subject: "SHELL", excerpt: oneLine(raw) });
    for (const command of recipe === undefined ? runs : [recipe, ...runs]) {
      const line = withPlainVariables(command).replace(/^[\t @+-]+/, "");
      const one =
        shellFinding(line, "make") ??
        fetchFinding(withPlainVariables(expanded(command, values)).replace(/^[\t @+-]+/, "")) ??
        programFinding(line, runs.includes(command));
      if (one) found.add(index, { ...one, excerpt: oneLine(raw) });
    }
  }
  if (isCut) found.leaveOut();
  return found.signals;
}

/** A comment of `make` goes on over a `\`; one of a recipe is the shell's, where it ends. */
export const makeLines = (text: string): ReadLines =>
  linesOf(text, (line) => (line.startsWith("\t") || line.startsWith(">")) && commentOf(line) !== undefined);

/** What variables hide counts only where it reaches outside: recipes name their compilers in the same way. */
function fetchFinding(line: string): Found | null {
  const one = shellFinding(line, "make");
  return one?.level === "danger" || (one && (downloading.has(one.subject) || shells.has(one.subject))) ? one : null;
}

interface MakeAssignment {
  name: string;
  value: string;
  /** `X != command` */
  runs: boolean;
}

function assignedInMake(line: string): MakeAssignment | null {
  const at = line.indexOf("=");
  if (at < 1) return null;
  const sign = /[!:+?]{1,3}$/.exec(line.slice(Math.max(at - 3, 0), at))?.[0] ?? "";
  const name =
    line
      .slice(0, at - sign.length)
      .trim()
      .split(/[ \t]/)
      .at(-1) ?? "";
  const isName = /^[\w.]{1,100}$/.test(name);
  return isName ? { name, value: line.slice(at + 1).trim(), runs: sign.includes("!") } : null;
}

/** `all: a.o ; command` */
function recipeAfterRule(line: string): string | undefined {
  const colon = line.indexOf(":");
  const end = line.indexOf(";", colon);
  const isRule = colon > 0 && end !== -1 && line[colon + 1] !== "=" && !line.slice(0, colon).includes("=");
  return isRule && assignedInMake(line) === null ? line.slice(end + 1) : undefined;
}

/** Writes `$(AR)` and `${AR}` as `$AR`: a variable is one word, and no command. */
function withPlainVariables(line: string): string {
  const [first = "", ...others] = line.split("$");
  return [first, ...others.map(plainVariable)].join("$");
}

function plainVariable(afterDollar: string): string {
  const close = afterDollar.startsWith("(") ? ")" : afterDollar.startsWith("{") ? "}" : undefined;
  const end = close === undefined ? -1 : afterDollar.indexOf(close);
  const name = afterDollar.slice(1, Math.max(end, 1));
  return /^\w+$/.test(name) ? `${name}${afterDollar.slice(end + 1)}` : afterDollar;
}

/** A program that recipes do not usually run; of `$(shell …)`, any. */
function programFinding(line: string, isShell: boolean): Found | null {
  const programs = commandsOf(line).map(programOf);
  const strange = programs.find((word) => isStrange(word.replace(/^[@-]+/, "")));
  const excerpt = oneLine(line);
  if (strange !== undefined && !isUsual(line)) return { level: "warning", subject: nameOf(strange), excerpt };
  return isShell ? { level: "notice", subject: nameOf(programs[0] ?? ""), excerpt } : null;
}

/** Variables of make name compilers; other words of a recipe that start a command are programs. */
function isStrange(word: string): boolean {
  const name = nameOf(word);
  return /^[A-Za-z][A-Za-z0-9_.+-]*$/.test(name) && !building.has(name) && !name.endsWith(".o") && word !== nowhere;
}

const mostShells = 20;

/** The texts of `$(shell …)`, `${shell …}` and of backquotes. */
function shellsOf(line: string): string[] {
  const found: string[] = [];
  for (let at = line.indexOf("$"); at !== -1 && found.length < mostShells; at = line.indexOf("$", at + 1)) {
    const called = /^\$[({][ \t]{0,9}(?:call[ \t]{1,9}shell[ \t]{0,9},|shell[ \t]|guile[ \t])/.exec(
      line.slice(at, at + 50),
    )?.[0];
    if (called === undefined) continue;
    const rest = line.slice(at + called.length);
    found.push(rest.slice(0, closingOf(rest, called[1] === "{" ? "{}" : "()")));
  }
  const first = line.indexOf("`");
  const second = line.indexOf("`", first + 1);
  if (first !== -1 && second !== -1) found.push(line.slice(first + 1, second));
  return found;
}

/** Where the bracket closes that is open before the text. */
function closingOf(text: string, [open, close]: string): number {
  let depth = 1;
  for (let at = 0; at < text.length; at++) {
    if (text[at] === open) depth += 1;
    else if (text[at] === close) depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
