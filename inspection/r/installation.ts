import type { Signal } from "@packhouse/contract/review/inspection";
import type { SignalId, SignalLevel } from "@packhouse/contract/review/signals";

/** What `R CMD INSTALL` runs besides R code: scripts for the shell and files for `make`. */

const configure = /^configure(?:\.win|\.ucrt)?$/;
const cleanup = /^cleanup(?:\.win|\.ucrt)?$/;
const makefile = /^src\/(?:.*\/)?(?:Makevars|Makefile)(?:\.[A-Za-z]+)?(?:\.in)?$/;
/** Scripts that those start. */
const tool = /^(?:tools|inst\/tools|src)\/(?:.*\/)?[^/]+\.(?:sh|bash|py|pl)$/;

export const runsAtInstallation = (path: string): boolean =>
  configure.test(path) || cleanup.test(path) || makefile.test(path) || tool.test(path);

export function installationSignals(path: string, text: string): Signal[] {
  if (makefile.test(path)) return makeSignals(path, text);
  const id = cleanup.test(path) ? "r-cleanup" : "r-configure";
  const found = new Lines(path, id);
  if (!tool.test(path)) found.add(0, { level: "warning", subject: path, excerpt: null });
  for (const [index, line] of linesOf(text)) {
    const one = shellFinding(line);
    if (one) found.add(index, one);
  }
  return found.signals;
}

interface Found {
  id?: SignalId;
  level: SignalLevel;
  subject: string;
  excerpt: string | null;
}

const mostSignals = 100;
const longestLine = 2000;
const mostLines = 50_000;
const longestExcerpt = 200;

class Lines {
  readonly signals: Signal[] = [];
  readonly #path: string;
  readonly #id: SignalId;

  constructor(path: string, id: SignalId) {
    this.#path = path;
    this.#id = id;
  }

  add(index: number, { id = this.#id, level, subject, excerpt }: Found): void {
    if (this.signals.length >= mostSignals) return;
    const shown = excerpt && excerpt.length > longestExcerpt ? `${excerpt.slice(0, longestExcerpt)}…` : excerpt;
    this.signals.push({ id, level, subject, file: this.#path, line: index + 1, excerpt: shown });
  }
}

/** Lines without comments and the blanks around them; a `\` at the end joins a line with the next one. */
function* linesOf(text: string): Generator<[index: number, line: string]> {
  let joined = "";
  let start = 0;
  for (const [index, raw] of text.split("\n", mostLines).entries()) {
    const line = raw.trimEnd().slice(0, longestLine);
    if (joined === "") start = index;
    if (line.endsWith("\\") && joined.length < longestLine) {
      joined += `${line.slice(0, -1)} `;
      continue;
    }
    const whole = joined + line;
    joined = "";
    if (whole.trim() !== "" && !whole.trimStart().startsWith("#")) yield [start, whole];
  }
  if (joined.trim() !== "") yield [start, joined];
}

/** The commands of a line and what they are given, as far as they can be read without running anything. */
function commandsOf(line: string): string[][] {
  const commands: string[][] = [[]];
  let word = "";
  const endWord = () => {
    if (word !== "") commands.at(-1)?.push(word);
    word = "";
  };
  for (const character of line) {
    if (" \t\"'".includes(character)) endWord();
    else if (";|&()`{}<>".includes(character)) {
      endWord();
      if (commands.at(-1)?.length) commands.push([]);
    } else word += character;
  }
  endWord();
  return commands.filter((words) => words.length > 0);
}

const nameOf = (word: string): string => word.slice(word.lastIndexOf("/") + 1);

const downloading = new Set([
  "curl",
  "wget",
  "nc",
  "ncat",
  "netcat",
  "ssh",
  "scp",
  "sftp",
  "ftp",
  "telnet",
  "rsync",
  "git",
]);
const interpreters = new Set([
  "python",
  "python2",
  "python3",
  "perl",
  "ruby",
  "node",
  "php",
  "powershell",
  "pwsh",
  "osascript",
]);
const rPrograms = new Set(["R", "R.exe", "Rterm"]);
const shells = new Set(["sh", "bash", "dash", "zsh", "ksh", "cmd", "cmd.exe"]);
const persistent = new Set([
  "crontab",
  "systemctl",
  "launchctl",
  "schtasks",
  "nohup",
  "setsid",
  "sudo",
  "at",
  "useradd",
]);
const prefixes = new Set([
  "then",
  "do",
  "else",
  "if",
  "elif",
  "while",
  "until",
  "!",
  "exec",
  "command",
  "env",
  "time",
  "eval",
  "@",
  "-",
]);
const decoding = new Set(["xxd", "base64", "base32", "openssl"]);
const decodingOptions = new Set(["-d", "-D", "-di", "--decode", "-r", "-rp", "-r-p", "-A", "-a"]);
const sensitive = [
  "/dev/tcp/",
  "/.ssh",
  "/.aws",
  ".Rprofile",
  ".Renviron",
  ".bashrc",
  ".bash_profile",
  ".netrc",
  "/.gnupg",
  ".git-credentials",
];

/** A program that connects, another script, or a hidden command in a line for the shell. */
function shellFinding(line: string): Found | null {
  const commands = commandsOf(line);
  const excerpt = oneLine(line);
  const programs = commands.map(programOf);
  const names = programs.map(nameOf);
  const runsText = names.some((name) => shells.has(name)) || commands.some((words) => words.includes("eval"));
  const decodes = commands.some(isDecoding);
  if (decodes && runsText) return { id: "decoded-code", level: "danger", subject: "shell", excerpt };
  const subject =
    names.find((name) => downloading.has(name) || persistent.has(name)) ??
    sensitive.find((path) => line.includes(path)) ??
    (decodes ? "base64" : undefined);
  if (subject !== undefined) return { level: "warning", subject, excerpt };
  const place = commands.findIndex((words, index) => isScript(words, programs[index] ?? ""));
  if (place === -1) return null;
  return { level: isUsual(line) ? "info" : "warning", subject: names[place] ?? "", excerpt };
}

const oneLine = (line: string): string => line.trim().replace(/\s+/g, " ");

/** The first word that is neither an assignment nor a word of the shell. */
const programOf = (words: readonly string[]): string =>
  words.find((word) => !prefixes.has(word) && !word.includes("=")) ?? "";

/** `base64 -d`, `xxd -r -p` */
const isDecoding = (words: readonly string[]): boolean =>
  words.some((word) => decoding.has(nameOf(word))) && words.some((word) => decodingOptions.has(word));

/** What packages ask Rscript for when they are configured. */
const isUsual = (line: string): boolean => usualInvocations.some((one) => line.includes(one));

const usualInvocations = [
  "R.home",
  "Rcpp",
  "RcppParallel",
  "cxxflags",
  "CxxFlags",
  "LdFlags",
  "config.guess",
  "config.sub",
];

/** Starts an interpreter, or a script of the package. */
function isScript(words: readonly string[], program: string): boolean {
  const name = nameOf(program);
  if (interpreters.has(name)) return words.length > 1;
  if (shells.has(name) || program === "." || program === "source") return words.length > 1;
  return program.startsWith("./") || name === "Rscript" || (rPrograms.has(name) && words.includes("-e"));
}

/** Programs that ordinary recipes run. */
const building = new Set(
  [
    ["rm", "cp", "mv", "mkdir", "echo", "cd", "ar", "ranlib", "ln", "touch", "test", "[", "true", "sed", "cat", "pwd"],
    [
      "cc",
      "gcc",
      "g++",
      "clang",
      "clang++",
      "gfortran",
      "make",
      "cmake",
      "install_name_tool",
      "strip",
      "printf",
      "exit",
    ],
    ["export", "then", "fi", "else", "do", "done", "for", "if", "chmod", "tar", "gunzip", "unzip", "uname", "dirname"],
    [
      "basename",
      "pkg-config",
      "tr",
      "cut",
      "head",
      "sort",
      "grep",
      "awk",
      "find",
      "xargs",
      "ls",
      "rmdir",
      "which",
      "command",
    ],
  ].flat(),
);

function makeSignals(path: string, text: string): Signal[] {
  const found = new Lines(path, "r-makevars-shell");
  for (const [index, raw] of linesOf(text)) {
    // A variable is one word, `$AR`, and no command.
    const line = raw.replace(/\$[({]([A-Za-z0-9_]{1,50})[)}]/g, "$$$1");
    const shell = shellOf(line);
    if (shell === null && !line.startsWith("\t")) continue;
    const one = shellFinding((shell ?? line).replace(/^[\t @-]+/, "")) ?? programFinding(line, shell);
    if (one) found.add(index, { ...one, excerpt: oneLine(raw) });
  }
  return found.signals;
}

/** A program that recipes do not usually run; of `$(shell …)`, any. */
function programFinding(line: string, shell: string | null): Found | null {
  const programs = commandsOf(shell ?? line).map(programOf);
  const strange = programs.find((word) => isStrange(word.replace(/^[@-]+/, "")));
  const excerpt = oneLine(line);
  if (strange !== undefined && !isUsual(line)) return { level: "warning", subject: nameOf(strange), excerpt };
  return shell === null ? null : { level: "notice", subject: nameOf(programs[0] ?? ""), excerpt };
}

/** Variables of make name compilers; other words of a recipe that start a command are programs. */
function isStrange(word: string): boolean {
  const name = nameOf(word);
  return (
    /^[A-Za-z][A-Za-z0-9_.+-]*$/.test(name) && !word.startsWith("$") && !building.has(name) && !name.endsWith(".o")
  );
}

/** The text of `$(shell …)` and of backquotes; null without them. */
function shellOf(line: string): string | null {
  const start = line.indexOf("$(shell ");
  if (start !== -1) return line.slice(start + "$(shell ".length);
  const first = line.indexOf("`");
  const second = line.indexOf("`", first + 1);
  return first !== -1 && second !== -1 ? line.slice(first + 1, second) : null;
}
