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

/** `\Sexpr[stage=install]{…}`, whose braces are balanced. */
function codeInHelp(text: string): string | undefined {
  const kept: Part[] = [];
  for (let at = text.indexOf("\\Sexpr"); at !== -1; at = text.indexOf("\\Sexpr", at)) {
    at += "\\Sexpr".length;
    if (text[at] === "[") {
      const end = text.indexOf("]", at);
      if (end === -1) break;
      at = end + 1;
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

/** Code that a document runs. */
interface Chunk extends Part {
  /** `r`, `bash`, `python`. */
  engine: string;
  options: string;
}

/** Lines between those that open a chunk and those that close it: of Markdown, Sweave, HTML and reStructuredText. */
function* chunksOf(text: string): Generator<Chunk> {
  let open: (Opening & { start: number }) | undefined;
  for (let start = 0; start < text.length; ) {
    const newline = text.indexOf("\n", start);
    const end = newline === -1 ? text.length : newline;
    const line = withoutMargin(text.slice(start, end));
    if (open === undefined) {
      const opening = openingOf(line);
      if (opening) open = { ...opening, start: end };
      else yield* inlineCode(text, { start, end });
    } else if (isClosing(line, open.closes)) {
      yield { engine: open.engine, options: open.options, start: open.start, end: start };
      open = undefined;
    }
    start = end + 1;
  }
  if (open) yield { engine: open.engine, options: open.options, start: open.start, end: text.length };
}

/** Chunks may be in a block quote. */
function withoutMargin(line: string): string {
  let at = 0;
  while (at < line.length && "> \t".includes(line[at] ?? "")) at += 1;
  return line.slice(at).trimEnd();
}

const isClosing = (line: string, closes: string): boolean =>
  line === closes ||
  (closes === "@" && line.startsWith("@")) ||
  (closes.startsWith("`") && line.startsWith(closes) && /^`*$/.test(line));

const opensInline = ["`r ", "`r#", "`{r} ", "\\Sexpr{", "<!--rinline "] as const;
const closesInline: Readonly<Record<(typeof opensInline)[number], string>> = {
  "`r ": "`",
  "`r#": "`",
  "`{r} ": "`",
  "\\Sexpr{": "}",
  "<!--rinline ": "-->",
};

/** `` `r height(1)` `` in a line. */
function* inlineCode(text: string, { start, end }: Part): Generator<Chunk> {
  const line = text.slice(start, end);
  for (const opens of opensInline)
    for (let at = line.indexOf(opens); at !== -1; ) {
      const from = start + at + opens.length;
      const braces = opens.endsWith("{") ? closingBrace(text.slice(0, end), from - 1) : undefined;
      const close = braces ?? line.indexOf(closesInline[opens], at + opens.length) + start;
      const to = close < from ? end : close;
      yield { engine: "r", options: "inline", start: from, end: to };
      at = line.indexOf(opens, to - start);
    }
}

/** The code of R between what is blank; code in a line of text ends with a `;`. */
function codeInVignette(text: string): string | undefined {
  const chunks = [...chunksOf(text)].filter(({ engine }) => engine.toLowerCase() === "r");
  if (chunks.length === 0) return undefined;
  chunks.sort((a, b) => a.start - b.start);
  const parts: Part[] = [];
  const ends: number[] = [];
  for (const { start, end, options } of chunks) {
    if (start < (parts.at(-1)?.end ?? 0)) continue;
    if (options === "inline") ends.push(end);
    parts.push(...(options === "inline" ? [{ start, end }] : linesWithoutMargin(text, { start, end })));
  }
  const code = onlyParts(text, parts);
  const pieces: string[] = [];
  let at = 0;
  for (const end of ends) {
    if (end >= code.length || code[end] === "\n") continue;
    pieces.push(code.slice(at, end), ";");
    at = end + 1;
  }
  return [...pieces, code.slice(at)].join("");
}

function* linesWithoutMargin(text: string, { start, end }: Part): Generator<Part> {
  for (let at = start; at < end; ) {
    const newline = text.indexOf("\n", at);
    const stop = newline === -1 || newline > end ? end : newline;
    let from = at;
    while (from < stop && "> \t".includes(text[from] ?? "")) from += 1;
    yield { start: from, end: stop };
    at = stop + 1;
  }
}

interface Opening {
  engine: string;
  options: string;
  /** The line that closes the chunk. */
  closes: string;
}

function openingOf(line: string): Opening | undefined {
  if (line.startsWith("<<") && line.endsWith(">>=")) return { engine: engineIn(line), options: line, closes: "@" };
  if (/^<!--[ \t]{0,8}begin\.rcode\b/.test(line))
    return { engine: engineIn(line), options: line, closes: "end.rcode-->" };
  if (/^\.\. \{[rR][ ,}]/.test(line)) return { engine: engineIn(line), options: line, closes: ".. .." };
  let length = 0;
  while (line[length] === "`") length += 1;
  if (length < 3) return undefined;
  const options = line.slice(length).trimStart();
  const engine = /^\{([A-Za-z0-9_]{1,30})[ ,}]/.exec(options)?.[1];
  return engine === undefined
    ? undefined
    : { engine: engineIn(options, engine), options, closes: line.slice(0, length) };
}

/** `engine = "bash"` among the options of a chunk. */
function engineIn(options: string, otherwise = "r"): string {
  const value = options.split(/\bengine[ \t]?=/, 2)[1]?.trimStart() ?? "";
  return /^["']([A-Za-z0-9_]{1,30})["']/.exec(value)?.[1] ?? otherwise;
}

/** The code in other languages that a vignette runs when it is built. */
export function* otherCodeIn(path: string, text: string): Generator<{ engine: string; start: number; code: string }> {
  if (!vignette.test(path)) return;
  for (const { engine, options, start, end } of chunksOf(text)) {
    const code = text.slice(start, end);
    const isShown =
      /\beval[ \t]{0,9}=[ \t]{0,9}F(?:ALSE)?[ \t]{0,9}[,}>]/.test(options) ||
      /^\s{0,9}#\|[ \t]{0,9}eval:[ \t]{0,9}false/.test(code.slice(0, 60));
    if (engine.toLowerCase() !== "r" && !isShown) yield { engine, start, code };
  }
}
