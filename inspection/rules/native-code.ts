import type { SignalId } from "@packhouse/contract/review/signals";
import type { ExaminedFile, FileRule } from "./file-rule.ts";
import { isNative, isOfTests } from "./places.ts";

/** Code that is compiled when the package is built. No grammar parses it here: what it calls is found by its words. */

const starts =
  "system popen _popen _wpopen execl execlp execle execv execvp execve posix_spawn posix_spawnp fork vfork WinExec CreateProcess CreateProcessA CreateProcessW ShellExecute ShellExecuteA ShellExecuteW ShellExecuteEx";
const connects =
  "socket getaddrinfo gethostbyname curl_easy_perform curl_easy_init InternetOpen InternetOpenA InternetOpenW WinHttpOpen URLDownloadToFile URLDownloadToFileA URLDownloadToFileW WSASocketA";
const callOf = (names: string) => new RegExp(`(?<![\\w.>])(?:${names.split(" ").join("|")})[ \\t]{0,4}\\(`, "g");

/** The first call of each function in a package is news; later ones are not. */
const calling = (id: SignalId, calls: RegExp, others: RegExp): FileRule => ({
  id,
  once: true,
  *examine(file) {
    const text = nativeText(file);
    if (!text || !file.text || !(firstIn(calls, text) || firstIn(others, text))) return;
    const level = isOfTests(file.path) ? ({ level: "notice" } as const) : {};
    const code = withoutComments(text);
    const called = [...code.matchAll(calls)].filter(({ index }) => !isDeclared(code, index));
    for (const { 0: found, index } of [...called, ...code.matchAll(others)]) {
      const subject = found.replace(/[\s(]+$/, "");
      yield { subject, file: file.path, line: file.text.lineAt(index), excerpt: null, ...level };
    }
  },
});

export const nativeProcessRule = calling("process", callOf(starts), /\bCommand::new\b/g);
export const nativeNetworkRule = calling(
  "network",
  callOf(connects),
  /\b(?:TcpStream::connect|UdpSocket::bind|reqwest::(?:blocking::)?get|ureq::(?:get|post))\b/g,
);

/** Runs when a library is loaded, before anything of it is called. */
export const nativeConstructorRule: FileRule = {
  id: "native-constructor",
  *examine(file) {
    const text = nativeText(file);
    if (!text || !file.text || !(text.includes("constructor") || text.includes("DllMain"))) return;
    for (const { 0: found, index } of withoutComments(text).matchAll(
      /__attribute__[ \t]{0,4}\([ \t]{0,4}\([^()]{0,40}\bconstructor\b|\[\[gnu::constructor|\bDllMain[ \t]{0,4}\(/g,
    ))
      yield {
        subject: found.includes("DllMain") ? "DllMain" : "constructor",
        file: file.path,
        ...file.text.found(index),
        ...(isOfTests(file.path) ? { level: "notice" } : {}),
      };
  },
};

const nativeText = ({ path, text }: ExaminedFile): string | undefined =>
  text && isNative(path) ? text.text : undefined;

const firstIn = (pattern: RegExp, text: string): boolean => text.search(pattern) !== -1;

/** `int system(const char *);`, `static int socket(int n) {`: a name after another one is declared, not called. */
function isDeclared(code: string, at: number): boolean {
  const before = /(?:([A-Za-z_]\w{0,60})[ \t*&]{1,8}|::)$/.exec(code.slice(Math.max(at - 80, 0), at));
  if (!before) return false;
  if (before[1] !== undefined) return !beforeCalls.has(before[1]);
  // `std::system` and `::system`, as opposed to a class of that name.
  return !/(?:^|[^\w])(?:std|libc|nix::unistd)?::$/.test(code.slice(Math.max(at - 30, 0), at));
}

const beforeCalls = new Set(["return", "else", "do", "case", "not", "and", "or", "throw", "co_return", "in", "if"]);

/** The text with blanks for comments and for what is between quotes, so that places stay the same. */
function withoutComments(text: string): string {
  const kept: string[] = [];
  let from = 0;
  for (let at = 0; at < text.length; at += 1) {
    const end = endOfAside(text, at);
    if (end === undefined) continue;
    kept.push(text.slice(from, at), blank(text.slice(at, end)));
    from = end;
    at = end - 1;
  }
  kept.push(text.slice(from));
  return kept.join("");
}

/** Where a comment or a text that starts here ends. */
function endOfAside(text: string, at: number): number | undefined {
  const character = text[at];
  const next = text[at + 1];
  if (character === "/" && next === "/") return lineEnd(text, at);
  if (character === "/" && next === "*") {
    const close = text.indexOf("*/", at + 2);
    return close === -1 ? text.length : close + 2;
  }
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

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
