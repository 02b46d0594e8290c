import type { SignalId } from "@packhouse/contract/review/signals";
import { onlyParts, type Part } from "../blanked-text.ts";
import type { ExaminedFile, FileRule } from "./file-rule.ts";
import { extensionOf, isNative, isOfTests } from "./places.ts";

/** Code that is compiled when the package is built. No grammar parses it here: what it calls is found by its words. */

const starts = new Set(
  "system popen _popen _wpopen execl execlp execle execv execvp execve posix_spawn posix_spawnp fork vfork WinExec CreateProcess CreateProcessA CreateProcessW ShellExecute ShellExecuteA ShellExecuteW ShellExecuteEx dlsym dlopen GetProcAddress".split(
    " ",
  ),
);
const connects = new Set(
  "socket getaddrinfo gethostbyname curl_easy_perform curl_easy_init InternetOpen InternetOpenA InternetOpenW WinHttpOpen URLDownloadToFile URLDownloadToFileA URLDownloadToFileW WSASocketA".split(
    " ",
  ),
);

interface Call extends Word {
  /** In the text, where what is between quotes counts as well. */
  isText?: true;
}

/** The first call of each function in a package is news; later ones are not. */
const calling = (
  id: SignalId,
  functions: ReadonlySet<string>,
  others: RegExp,
  inText: (text: string) => Iterable<Word> = () => [],
): FileRule => ({
  id,
  once: true,
  *examine(file) {
    const text = nativeText(file);
    if (!text || !file.text) return;
    const isPasting = text.includes("##") || text.includes("%:%:") || text.includes("\\\n") || text.includes("\\\r\n");
    const found: Call[] = [...inText(text)];
    if (isPasting || ["::", ...functions].some((word) => text.includes(word)))
      for (const code of codeOf(file.path, text)) {
        const words = [...wordsOf(code)];
        const values = valuesIn(code, words, functions);
        found.push(...words.filter((word) => functions.has(word.text) && (isCalled(code, word) || values.has(word))));
        found.push(...[...code.matchAll(others)].map(({ 0: name, index }) => ({ text: name, index })));
        if (isPasting) found.push(...pastedIn(code, words, functions));
      }
    const level = isOfTests(file.path) ? ({ level: "notice" } as const) : {};
    for (const { text: subject, index } of found)
      yield { subject, file: file.path, line: file.text.lineAt(index), excerpt: null, ...level };
  },
});

/** `int (*f)(const char *) = system`, `(system)("…")`, `#define RUN system` */
function valuesIn(code: string, words: readonly Word[], functions: ReadonlySet<string>): ReadonlySet<Word> {
  const own = words.filter(({ text }) => functions.has(text));
  const isDeclared = own.some((word) => isDeclaration(code, word));
  const macros = own.length > 0 ? macrosIn(code) : [];
  let next = 0;
  const isValue = (word: Word) => {
    const before = code.slice(Math.max(word.index - 80, 0), word.index).trimEnd();
    const after = code.slice(word.index + word.text.length, word.index + word.text.length + 20).trimStart();
    // Both are in the order of the text.
    while ((macros[next]?.end ?? code.length) < word.index) next += 1;
    if ((macros[next]?.start ?? code.length) <= word.index) return true;
    if (before.endsWith("(") && after.startsWith(")"))
      return !/[\w)]$/.test(before.slice(0, -1).trimEnd()) && /^\)[ \t]{0,9}\(/.test(after);
    const sign = before.endsWith("&") ? before.slice(0, -1).trimEnd() : before;
    if (!sign.endsWith("=") || !/^[;,})]/.test(after)) return false;
    return /\)[ \t]{0,9}=$/.test(sign.slice(-12)) || !isDeclared;
  };
  return new Set(own.filter(isValue));
}

/** What follows the names of macros. */
function macrosIn(code: string): Part[] {
  const found: Part[] = [];
  for (let at = code.indexOf("#"); at !== -1; at = code.indexOf("#", at + 1)) {
    const name = /^#[ \t]{0,9}define[ \t]{1,9}\w{1,100}/.exec(code.slice(at, at + 140))?.[0];
    if (name !== undefined) found.push({ start: at + name.length, end: lineEnd(code, at) });
  }
  return found;
}

/** `const Matrix &system`: the name means something of the file's own. */
function isDeclaration(code: string, word: Word): boolean {
  if (hasParenthesis(code, word)) return false;
  let end = word.index;
  while (end > word.index - 8 && (isBlank(code[end - 1]) || code[end - 1] === "*" || code[end - 1] === "&")) end -= 1;
  const name = end < word.index ? wordBefore(code, end) : "";
  const isMember = code[word.index - 1] === "." || code[word.index - 1] === ">";
  return isMember || (name !== "" && !beforeCalls.has(name) && name !== "define");
}

/** `CAT(sys, tem)`, or a name that goes on in the next line. */
function* pastedIn(code: string, words: readonly Word[], functions: ReadonlySet<string>): Generator<Word> {
  for (const [at, first] of words.entries()) {
    let name = first.text;
    let end = first.index + first.text.length;
    for (const next of words.slice(at + 1, at + 4)) {
      const between = code.slice(end, end + 20);
      if (next.index - end > 12 || !/^(?:[ \t,#]|%:|\\\r?\n)+$/.test(between.slice(0, next.index - end))) break;
      // Words with a blank between them are no name.
      if (code.slice(end, next.index).trim() === "") break;
      name += next.text;
      end = next.index + next.text.length;
      if (functions.has(name)) yield { text: name, index: first.index };
    }
  }
}

/** Functions of R that start programs, called by their names, and what is included although it is no code. */
function* namedInText(text: string): Generator<Word> {
  for (const quoted of ['"system"', '"system2"', '"shell"'])
    for (let at = text.indexOf(quoted); at !== -1; at = text.indexOf(quoted, at + 1)) {
      const before = text.slice(Math.max(at - 60, 0), at);
      // bounded expression: it looks at 60 characters
      if (/\b(?:install|Rf_install|Function|function|findFun|get)\b[ \t\w]{0,30}[([{][ \t]{0,9}$/.test(before))
        yield { text: quoted.slice(1, -1), index: at };
    }
  for (let at = text.indexOf("#"); at !== -1; at = text.indexOf("#", at + 1)) {
    const name = /^#[ \t]{0,20}include[ \t]{0,20}"([^"\n]{1,200})"/.exec(text.slice(at, at + 260))?.[1];
    if (name !== undefined && !isNative(name) && !plainHeaders.has(extensionOf(name))) yield { text: name, index: at };
  }
}
/** Headers without an extension, and tables that tools generate. */
const plainHeaders = new Set(["", "y", "l", "pb", "hip", "ino", "xpm", "xbm"]);

export const nativeProcessRule = calling("process", starts, /\bCommand::new\b/g, namedInText);
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
    const words = codeOf(file.path, text).flatMap((code) => [...wordsOf(code)].map((word) => ({ code, word })));
    for (const { code, word } of words) {
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

/** In C a text does not begin with `R"(`; a header may be of either language. */
function codeOf(path: string, text: string): string[] {
  const extension = extensionOf(path);
  const plain = () => withoutComments(text, false);
  if (extension === "c" || extension === "m" || !text.includes('R"')) return [plain()];
  const raw = withoutComments(text, true);
  return extension === "h" || !isNativeSource.has(extension) ? [raw, plain()] : [raw];
}
const isNativeSource = new Set(["cc", "cpp", "cxx", "hh", "hpp", "hxx", "mm", "c++"]);

/** The text with blanks for comments and for what is between quotes, so that places stay the same. */
function withoutComments(text: string, hasRaw: boolean): string {
  const kept: Part[] = [];
  let start = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfAside(text, at, hasRaw);
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
function endOfAside(text: string, at: number, hasRaw: boolean): number | undefined {
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
  const raw = hasRaw ? endOfRaw(text, at) : undefined;
  if (raw !== undefined) return raw;
  for (let end = at + 1; end < text.length; end += 1) {
    if (text[end] === "\\") end += 1;
    else if (text[end] === '"' || text[end] === "\n") return end + 1;
  }
  return text.length;
}

/** Where `R"x(…)x"` ends. */
function endOfRaw(text: string, at: number): number | undefined {
  if (!/(?:^|\W)(?:u8|u|U|L)?R$/.test(text.slice(Math.max(at - 4, 0), at))) return undefined;
  const delimiter = /^"([^()\\\s]{0,16})\(/.exec(text.slice(at, at + 20))?.[1];
  if (delimiter === undefined) return undefined;
  const close = text.indexOf(`)${delimiter}"`, at + 2 + delimiter.length);
  return close === -1 ? text.length : close + delimiter.length + 2;
}

const lineEnd = (text: string, at: number): number => {
  const newline = text.indexOf("\n", at);
  return newline === -1 ? text.length : newline;
};
