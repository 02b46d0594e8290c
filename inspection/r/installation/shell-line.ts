import type { SignalLevel } from "@packhouse/contract/review/signals";
import { unmistakable } from "../code/watched-functions.ts";
import type { Found } from "./line-findings.ts";
import { longestLine } from "./lines.ts";
import { allCommandsOf, nameOf, programOf, shells } from "./shell-commands.ts";

export const downloading = new Set("curl wget nc ncat netcat ssh scp sftp ftp telnet rsync git".split(" "));
const interpreters = new Set("python python2 python3 perl ruby node php powershell pwsh osascript".split(" "));
const rPrograms = new Set(["R", "Rterm"]);
const persistent = new Set(["crontab", "systemctl", "launchctl", "schtasks", "nohup", "setsid", "sudo", "useradd"]);
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
export function shellFinding(line: string, by: Caller): Found | null {
  const commands = allCommandsOf(line);
  const excerpt = oneLine(line);
  const programs = commands.map(programOf);
  const names = programs.map(nameOf);
  const runsText = names.some((name) => shells.has(name)) || commands.some((words) => words.includes("eval"));
  const decodes = commands.some(isDecoding);
  if (decodes && runsText) return { id: "decoded-code", level: "danger", subject: "shell", excerpt };
  const reached =
    names.find((name) => downloading.has(name) || persistent.has(name)) ??
    sensitive.find((path) => line.includes(path)) ??
    (decodes ? "base64" : undefined) ??
    commands.map(inlineProgram).find((name) => name !== undefined) ??
    programs.find((program) => isPieced(program, by) && addresses.some((start) => line.includes(start)));
  if (reached !== undefined) return { level: "warning", subject: reached, excerpt };
  // Whatever another program prints is run.
  const piped = names.findIndex((name, index) => index > 0 && shells.has(name) && commands[index]?.length === 1);
  if (piped !== -1 && line.includes("|")) return { level: "warning", subject: names[piped] ?? "", excerpt };
  const place = commands.findIndex((words, index) => isScript(words, programs[index] ?? ""));
  if (place === -1) return null;
  const subject = names[place] ?? "";
  return { level: levelOfScript(line, subject, by), subject, excerpt };
}

const addresses = ["http://", "https://", "ftp://"];

/** A name that is put together of variables and letters. What is one variable is found by `configure` itself. */
function isPieced(program: string, by: Caller): boolean {
  const name = nameOf(program);
  // `$0: not found` is a line of a message.
  if (!name.includes("$") || name.endsWith(":")) return false;
  const isOne = /^\$(?:\w+|\{\w+\})$/.test(name);
  return isOne ? by !== "autoconf" && !/echo|print/i.test(name) : !/echo|print/i.test(name);
}

const awk = new Set(["awk", "gawk", "mawk", "nawk", "$AWK", "$" + "{AWK}", "$(AWK)"]);
const awkRunning = ["system(", "system (", "|getline", "| getline", '| "', '|"'];
const inlineOptions = new Set(["-e", "-c", "-E", "-n", "-pe", "-ne", "-le", "-r"]);
const inlineReaching = [
  ...["system", "exec", "popen", "socket", "Socket", "http", "urlopen", "urllib", "subprocess", "LWP", "eval"],
  ...["base64", "requests", "unpack", "qx"],
];

/** Code for another program that starts programs or connects: `awk 'BEGIN{system("…")}'`, `perl -e 'exec …'`. */
function inlineProgram(words: readonly string[]): string | undefined {
  const at = words.findIndex((word) => awk.has(nameOf(word)) || interpreters.has(nameOf(word)));
  const program = words[at];
  if (program === undefined) return undefined;
  const given = words.slice(at + 1);
  const isAwk = awk.has(nameOf(program));
  const isInline = isAwk || given.some((word) => inlineOptions.has(word));
  const signs = isAwk ? awkRunning : inlineReaching;
  return isInline && given.some((word) => signs.some((sign) => word.includes(sign))) ? nameOf(program) : undefined;
}

/** Whether a line for the shell connects, hides something, or starts another script. */
export function isReachingCommand(line: string): boolean {
  const found = line.trimStart().startsWith("#") ? null : shellFinding(line.slice(0, longestLine), "configure");
  return found?.level === "warning" || found?.level === "danger";
}

/** A script that Autoconf wrote, another one, or a recipe of `make`, which rarely runs R. */
export type Caller = "autoconf" | "configure" | "make";

function levelOfScript(line: string, program: string, by: Caller): SignalLevel {
  if (isUsual(line)) return "info";
  // R code of the package is examined where it is; what counts here is code in the line itself.
  const isHarmlessR =
    (program === "Rscript" || rPrograms.has(program)) && !reaching.some((name) => line.includes(`${name}(`));
  return by === "autoconf" || (by === "configure" && isHarmlessR) ? "notice" : "warning";
}

const reaching = [...unmistakable, "source", "url", "eval", "readLines"];

export const oneLine = (line: string): string => line.trim().replace(/\s+/g, " ");

/** `base64 -d`, `xxd -r -p` */
const isDecoding = (words: readonly string[]): boolean =>
  words.some((word) => decoding.has(nameOf(word))) && words.some((word) => decodingOptions.has(word));

/** What packages ask Rscript for when they are configured. */
export const isUsual = (line: string): boolean => usualInvocations.some((one) => line.includes(one));

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
  return isOfPackage(program) || name === "Rscript" || (rPrograms.has(name) && words.includes("-e"));
}

/** `./build`, `tools/fetch` */
const isOfPackage = (program: string): boolean =>
  program.startsWith("./") || /^(?:tools|src|inst|exec|tests|data|R)\/[^$]/.test(program);
