import type { SignalId } from "@packhouse/contract/review/signals";
import { onlyParts, type Part } from "../blanked-text.ts";
import type { ExaminedFile, FileRule } from "./file-rule.ts";
import { isNative, isOfTests } from "./places.ts";

/** Code that is compiled when the package is built. No grammar parses it here: what it calls is found by its words. */

const starts = new Set(
  "system popen _popen _wpopen execl execlp execle execv execvp execve posix_spawn posix_spawnp fork vfork WinExec CreateProcess CreateProcessA CreateProcessW ShellExecute ShellExecuteA ShellExecuteW ShellExecuteEx".split(
    " ",
  ),
);
const connects = new Set(
  "socket getaddrinfo gethostbyname curl_easy_perform curl_easy_init InternetOpen InternetOpenA InternetOpenW WinHttpOpen URLDownloadToFile URLDownloadToFileA URLDownloadToFileW WSASocketA".split(
    " ",
  ),
);

/** The first call of each function in a package is news; later ones are not. */
const calling = (id: SignalId, functions: ReadonlySet<string>, others: RegExp): FileRule => ({
  id,
  once: true,
  *examine(file) {
    const text = nativeText(file);
    if (!text || !file.text || !["::", ...functions].some((word) => text.includes(word))) return;
    const code = withoutComments(text);
    const called = [...wordsOf(code)].filter((word) => functions.has(word.text) && isCalled(code, word));
    const named = [...code.matchAll(others)].map(({ 0: found, index }) => ({ text: found, index }));
    const level = isOfTests(file.path) ? ({ level: "notice" } as const) : {};
    for (const { text: subject, index } of [...called, ...named])
      yield { subject, file: file.path, line: file.text.lineAt(index), excerpt: null, ...level };
  },
});

export const nativeProcessRule = calling("process", starts, /\bCommand::new\b/g);
export const nativeNetworkRule = calling(
  "network",
  connects,
  /\b(?:TcpStream::connect|UdpSocket::bind|reqwest::(?:blocking::)?get|ureq::(?:get|post))\b/g,
);

/** Runs when a library is loaded, before anything of it is called. */
export const nativeConstructorRule: FileRule = {
  id: "native-constructor",
  *examine(file) {
    const text = nativeText(file);
    if (!text || !file.text || !(text.includes("constructor") || text.includes("DllMain"))) return;
    const code = withoutComments(text);
    for (const word of wordsOf(code)) {
      if (!(word.text === "constructor" ? isAttribute(code, word.index) : isEntryPoint(code, word))) continue;
      yield {
        subject: word.text,
        file: file.path,
        ...file.text.found(word.index),
        ...(isOfTests(file.path) ? { level: "notice" } : {}),
      };
    }
  },
};

const nativeText = ({ path, text }: ExaminedFile): string | undefined =>
  text && isNative(path) ? text.text : undefined;

interface Word {
  text: string;
  index: number;
}

function* wordsOf(code: string): Generator<Word> {
  for (const { 0: text, index } of code.matchAll(/\w+/g)) yield { text, index };
}

const isBlank = (character: string | undefined): boolean => character === " " || character === "\t";

/** `name(`, with a few blanks at most. */
function hasParenthesis(code: string, { text, index }: Word): boolean {
  let at = index + text.length;
  for (let blanks = 0; blanks < 4 && isBlank(code[at]); blanks += 1) at += 1;
  return code[at] === "(";
}

const isEntryPoint = (code: string, word: Word): boolean => word.text === "DllMain" && hasParenthesis(code, word);

/** `__attribute__((constructor`, also after other attributes, and `[[gnu::constructor`. */
function isAttribute(code: string, at: number): boolean {
  const before = code.slice(Math.max(at - 70, 0), at);
  if (before.endsWith("[[gnu::")) return true;
  const [, attributes] = before.split("__attribute__").slice(-2);
  const inside = attributes?.replaceAll(" ", "").replaceAll("\t", "");
  return inside?.startsWith("((") === true && !inside.includes("(", 2) && !inside.includes(")");
}

/** Not a method, and not `int system(const char *);`, where a name after another one is declared. */
function isCalled(code: string, word: Word): boolean {
  const at = word.index;
  const previous = code[at - 1];
  if (previous === "." || previous === ">" || !hasParenthesis(code, word)) return false;
  // `std::system` and `::system`, as opposed to a class of that name.
  if (code.slice(Math.max(at - 2, 0), at) === "::")
    return /(?:^|[^\w])(?:std|libc|nix::unistd)?::$/.test(code.slice(Math.max(at - 30, 0), at));
  let end = at;
  while (end > at - 8 && (isBlank(code[end - 1]) || code[end - 1] === "*" || code[end - 1] === "&")) end -= 1;
  const name = end < at ? wordBefore(code, end) : "";
  return name === "" || beforeCalls.has(name);
}

/** The name that ends here, if it is one. */
function wordBefore(code: string, end: number): string {
  let start = end;
  while (start > Math.max(end - 61, 0) && /\w/.test(code[start - 1] ?? "")) start -= 1;
  const word = code.slice(start, end);
  return /^\d/.test(word) ? "" : word;
}

const beforeCalls = new Set(["return", "else", "do", "case", "not", "and", "or", "throw", "co_return", "in", "if"]);

/** The text with blanks for comments and for what is between quotes, so that places stay the same. */
function withoutComments(text: string): string {
  const kept: Part[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfAside(text, at);
    if (end === undefined) continue;
    kept.push({ start, end: at });
    start = end;
    at = end - 1;
  }
  return onlyParts(text, [...kept, { start, end: text.length }]);
}

/** Quotes as characters: they begin no text, and what follows is code. */
const quotes = ["'\"'", "'\\\"'"];

/** Where a comment or a text that starts here ends. */
function endOfAside(text: string, at: number): number | undefined {
  const character = text[at];
  const next = text[at + 1];
  if (character === "/" && next === "/") return lineEnd(text, at);
  if (character === "/" && next === "*") {
    const close = text.indexOf("*/", at + 2);
    return close === -1 ? text.length : close + 2;
  }
  const quote = character === "'" ? quotes.find((one) => text.startsWith(one, at)) : undefined;
  if (quote !== undefined) return at + quote.length;
  if (character !== '"') return undefined;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === '"' || text[end] === "\n") return end + 1;
  }
  return text.length;
}

const lineEnd = (text: string, at: number): number => {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline;
};
