import { onlyParts, type Part } from "../blanked-text.ts";

/** R code in help pages and vignettes, which runs when the package is built or installed. */

const helpPage = /^man\/(?:.*\/)?[^/]+\.[Rr]d$/;
const vignette = /^vignettes\/[^/]+\.(?:[rs]?r?md|qmd|[rs]nw|[rs]tex|rhtml|rrst)$/i;

export const isHelpPageCode = (path: string): boolean => helpPage.test(path);
export const isVignette = (path: string): boolean => vignette.test(path);

/** The code of a document in its place, everything else blank; undefined if it has none. */
export function codeInDocument(path: string, text: string): string | undefined {
  if (helpPage.test(path)) return codeInHelp(text);
  return vignette.test(path) ? codeInVignette(text) : undefined;
}

const longestOptions = 300;

/** `\Sexpr[stage=install]{…}`, whose braces are balanced. */
function codeInHelp(text: string): string | undefined {
  const kept: Part[] = [];
  for (let at = text.indexOf("\\Sexpr"); at !== -1; at = text.indexOf("\\Sexpr", at)) {
    at += "\\Sexpr".length;
    if (text[at] === "[") {
      const end = text.slice(at, at + longestOptions).indexOf("]");
      if (end !== -1) at += end + 1;
    }
    if (text[at] !== "{") continue;
    const end = closingBrace(text, at);
    kept.push({ start: at + 1, end });
    at = end;
  }
  return kept.length === 0 ? undefined : onlyParts(text, kept);
}

function closingBrace(text: string, open: number): number {
  let depth = 0;
  for (let at = open; at < text.length; at += 1) {
    const character = text[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return at;
    }
  }
  return text.length;
}

/** Lines between those that open a chunk of R and those that close it: of Markdown, Sweave, HTML and reStructuredText. */
function codeInVignette(text: string): string | undefined {
  const kept: Part[] = [];
  let closes: string | undefined;
  let start = 0;
  while (start < text.length) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = text.slice(start, end).trim();
    if (closes === undefined) closes = closingOf(line);
    else if (line === closes || (closes === "@" && line.startsWith("@"))) closes = undefined;
    else kept.push({ start, end });
    start = end + 1;
  }
  return kept.length === 0 ? undefined : onlyParts(text, kept);
}

/** The line that closes the chunk that a line opens. */
function closingOf(line: string): string | undefined {
  if (line.startsWith("<<") && line.endsWith(">>=")) return "@";
  if (/^<!--[ \t]{0,8}begin\.rcode\b/.test(line)) return "end.rcode-->";
  if (/^\.\. \{[rR][ ,}]/.test(line)) return ".. ..";
  const fence = /^`{3,10}/.exec(line)?.[0];
  if (fence === undefined) return undefined;
  return /^\{[rR][ ,}]/.test(line.slice(fence.length)) ? fence : undefined;
}
