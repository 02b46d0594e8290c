import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalId, type SignalLevel, signalRules } from "@packhouse/contract/review/signals";
import { lower } from "../../signal.ts";
import type { Found, PythonFacts } from "../facts.ts";
import { identities, unpicklers } from "./reach-rules.ts";

/** What a file of the archive is for, which decides how much its code counts. `tests` are installed as well. */
export type FileRole = "installed" | "build" | "tests" | "project";

/**
 * What the files of code do, as signals. Every use is listed as a notice, unless its details are suspicious; the first
 * use of a module or variable in a package is news and counts in full. Its excerpt is empty, so that it stays the same
 * signal when code moves.
 */
export function reportedSignals(code: ReadonlyMap<string, PythonFacts>, roleOf: (path: string) => FileRole): Signal[] {
  const reported: Signal[] = [];
  const firstUses = new Set<string>();
  for (const [path, { found }] of [...code].sort(([one], [other]) => (one < other ? -1 : 1))) {
    const role = roleOf(path);
    const level = levelOfCombination(found, role);
    const reportsHost = found.some(({ signal }) => signal.id === "environment" && identities.has(signal.subject));
    for (const item of found) {
      const { id } = item.signal;
      const isNews = role === "installed" && isFirstUse(item) && !firstUses.has(`${id} ${item.topic}`);
      if (isNews) firstUses.add(`${id} ${item.topic}`);
      const signal: Signal = isNews
        ? { ...item.signal, level: signalRules[id].level, subject: item.topic, excerpt: null }
        : item.signal;
      reported.push(...signalsOf({ ...item, signal }, item.signal, { role, level, reportsHost }));
    }
  }
  return reported;
}

/** What is suspicious in itself is listed where it is, however often. */
const isFirstUse = ({ signal, isQuiet, isRaised }: Found): boolean =>
  !isRaised && (environmentIds.has(signal.id) || (reachIds.has(signal.id) && !isQuiet));
const environmentIds: ReadonlySet<SignalId> = new Set(["environment", "secret-environment"]);
const reachIds: ReadonlySet<SignalId> = new Set(["process", "network", "clipboard", "keyring", "code-from-file"]);

interface Context {
  role: FileRole;
  /** Of what the file does without being called. */
  level: SignalLevel;
  /** It asks who the user is, or what the machine is called. */
  reportsHost: boolean;
}

/** The signal itself, and another one if it happens at installation or on import. */
function signalsOf(
  { signal, when, isQuiet, isRaised }: Found,
  use: Signal,
  { role, level, reportsHost }: Context,
): Signal[] {
  const isCall = signal.id === "py-import-time-call";
  const isSent = signal.id === "secret-environment" && isRaised;
  // What runs a file on import or in a build is listed for that already, and the tools of a project run its files.
  if (signal.id === "code-from-file" && !isRaised && (role !== "installed" || when === "import")) return [];
  if (role === "project" || role === "tests") {
    const isReport = reportsHost && signal.id === "network" && !isQuiet;
    const isAlarm = isSent || isHiddenCode(use) || (use.id === "process" && use.subject.endsWith(": download"));
    if (isCall) return [];
    if (isAlarm && role === "tests") return [signal];
    return [isReport ? { ...signal, level: "warning" } : capped(signal, isAlarm ? "warning" : "notice")];
  }
  if (role === "build") {
    // Build code deletes files and reads its version by `exec` as a matter of course.
    if (isCall) return use.subject === "exec" ? [{ ...use, id: "py-setup-code", level: "notice" }] : [];
    const isEffective = !isQuiet || isSent || signal.id === "decoded-code";
    return isEffective ? [signal, { ...use, id: "py-setup-code", level }] : [signal];
  }
  // A function that nobody calls changes no imports.
  if (signal.id === "import-hook" && when === "call") return [capped(signal, "notice")];
  if (isCall) {
    // `sys.exit` for an old Python is common.
    const isExit = use.subject !== "os._exit" && use.subject.endsWith("exit");
    return when === "import" ? [{ ...use, level: isExit ? "notice" : level }] : [];
  }
  const runsOnImport = when === "import" && signal.id !== "decoded-code" && (!isQuiet || isSent);
  return runsOnImport ? [signal, { ...use, id: "py-import-time-call", level }] : [signal];
}

/** Tests may reach out, but must not hide code; many of them are about pickles. */
const isHiddenCode = ({ id, subject }: Signal): boolean => id === "decoded-code" && !unpicklers.has(subject);

const isSecret = ({ signal, isRaised }: Found): boolean => signal.id === "secret-environment" && isRaised;

/** Reaching the network and running something, or sending secrets, without being called: dangerous in any package. */
function levelOfCombination(found: readonly Found[], role: FileRole): SignalLevel {
  const running = found.filter(({ when, isQuiet }) => !isQuiet && (role === "build" || when === "import"));
  const ids = new Set(running.map(({ signal }) => signal.id));
  const reachesSecrets = found.some((item) => isSecret(item) || (item.signal.id === "home-folder" && item.isRaised));
  const isDangerous = ids.has("network") && (ids.has("process") || reachesSecrets);
  return isDangerous ? "danger" : signalRules["py-import-time-call"].level;
}

const capped = (signal: Signal, most: SignalLevel): Signal => ({ ...signal, level: lower(signal.level, most) });
