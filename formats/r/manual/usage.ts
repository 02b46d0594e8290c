import { plainText, type RdMacro, type RdNode } from "./rd-tree.ts";

/** A `\usage` as R shows it: method calls as people write them, below a comment that states their class. */
export function usageText(nodes: readonly RdNode[]): string {
  const starts = nodes.flatMap((node, index) => (isMethod(node) ? [{ macro: node, index }] : []));
  const calls = starts.map(({ macro, index }, which) =>
    methodText(macro, plainText(nodes.slice(index + 1, starts[which + 1]?.index))),
  );
  return plainText(nodes.slice(0, starts[0]?.index)) + calls.join("");
}

const methodMacros: ReadonlySet<string> = new Set(["method", "S3method", "S4method"]);

const isMethod = (node: RdNode): node is RdMacro => node.kind === "macro" && methodMacros.has(node.name);

const closingOf: ReadonlyMap<string, string> = new Map([
  ["[", "]"],
  ["[[", "]]"],
  ["$", ""],
]);
const operator = /^(?:[-+*/^&|!]|[<>]=?|[!=]=|&&|\|\||%.*%|:)$/;

/** `rest` is everything after the macro: its arguments, and all text up to the next method. */
function methodText(macro: RdMacro, rest: string): string {
  const generic = plainText(macro.args[0] ?? []);
  const forClass = plainText(macro.args[1] ?? []);
  const call = callOf(rest);
  if (!call) return `${comment(macro.name, forClass, false)}${generic}${rest}`;

  const { args, after } = call;
  const [first = "", ...others] = args;
  const heading = comment(macro.name, forClass, /^[ \t]*<-/.test(after));
  const closing = closingOf.get(generic);
  if (closing !== undefined) return `${heading}${first}${generic}${others.join(",").trimStart()}${closing}${after}`;
  if (!operator.test(generic)) return `${heading}${generic}(${args.join(",")})${after}`;
  if (others.length === 0) return `${heading}${generic}${first}${after}`;
  return `${heading}${first} ${generic} ${others.join(",").trimStart()}${after}`;
}

/** The arguments at the start of a text, split at top-level commas, and the text after them. */
function callOf(text: string): { args: string[]; after: string } | undefined {
  const start = /^\s*\(/.exec(text)?.[0].length;
  if (start === undefined) return undefined;
  const args: string[] = [];
  let from = start;
  let depth = 0;
  let quote = "";
  for (let at = start; at < text.length; at += 1) {
    const character = text[at] ?? "";
    if (quote !== "") {
      if (character === "\\") at += 1;
      else if (character === quote) quote = "";
    } else if ("'\"`".includes(character)) quote = character;
    else if ("([{".includes(character)) depth += 1;
    else if (depth > 0 && ")]}".includes(character)) depth -= 1;
    else if (depth === 0 && (character === "," || character === ")")) {
      args.push(text.slice(from, at));
      if (character === ")") return { args, after: text.slice(at + 1) };
      from = at + 1;
    }
  }
  return undefined;
}

function comment(macro: string, forClass: string, replaces: boolean): string {
  const method = replaces ? "replacement method" : "method";
  if (macro === "S4method") return `## S4 ${method} for signature ${signature(forClass)}\n`;
  return forClass === "default" ? `## Default S3 ${method}:\n` : `## S3 ${method} for class '${forClass}'\n`;
}

/** Long ones are on lines of their own. */
function signature(classes: string): string {
  if (classes.length <= 50) return `'${classes}'`;
  return `\n## '${classes.length > 68 ? classes.replaceAll(",", ",\n##   ") : classes}'`;
}
