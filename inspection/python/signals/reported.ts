import type { Signal } from "@packhouse/contract/review/inspection";
import { type SignalLevel, signalLevels, signalRules } from "@packhouse/contract/review/signals";
import type { Found, PythonFacts } from "../facts.ts";

/** What a file of the archive is for, which decides how much its code counts. */
export type FileRole = "installed" | "build" | "project";

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
    for (const item of found) {
      if (role === "installed" && isFirstUse(item)) {
        const key = `${item.signal.id} ${item.topic}`;
        if (!firstUses.has(key)) {
          firstUses.add(key);
          reported.push({
            ...item.signal,
            level: signalRules[item.signal.id].level,
            subject: item.topic,
            excerpt: null,
          });
          if (!item.isRaised) continue;
        }
      }
      reported.push(...signalsOf(item, role, level));
    }
  }
  return reported;
}

const isFirstUse = ({ signal, isQuiet }: Found): boolean =>
  signal.id === "secret-environment" || signal.id === "environment" || (isFirstUseId.has(signal.id) && !isQuiet);
const isFirstUseId = new Set(["process", "network", "clipboard", "keyring"]);

function signalsOf(item: Found, role: FileRole, combined: SignalLevel): Signal[] {
  const { signal, when, isQuiet } = item;
  if (role === "project") return signal.id === "py-import-time-call" ? [] : [capped(signal, "notice")];
  const isEffective = signal.id === "py-import-time-call" || signal.id === "decoded-code" || !isQuiet || isSecret(item);
  if (role === "build") {
    const setup: Signal = {
      ...signal,
      id: "py-setup-code",
      level: higher(signalRules["py-setup-code"].level, combined),
    };
    // Build code deletes files and reads its version by `exec` as a matter of course.
    if (signal.id === "py-import-time-call") return signal.subject === "exec" ? [{ ...setup, level: "notice" }] : [];
    return isEffective ? [signal, setup] : [signal];
  }
  if (signal.id === "py-import-time-call") return when === "import" ? [{ ...signal, level: combined }] : [];
  const runsOnImport = when === "import" && isEffective && signal.id !== "decoded-code";
  const loading: Signal = { ...signal, id: "py-import-time-call", level: combined };
  return runsOnImport ? [signal, loading] : [signal];
}

const isSecret = ({ signal, isRaised }: Found): boolean => signal.id === "secret-environment" && isRaised;

/** Reaching the network and running something, or sending secrets, without being called: dangerous in any package. */
function levelOfCombination(found: readonly Found[], role: FileRole): SignalLevel {
  const running = found.filter(({ when, isQuiet }) => !isQuiet && (role === "build" || when === "import"));
  const ids = new Set(running.map(({ signal }) => signal.id));
  const reachesSecrets = found.some((item) => isSecret(item) || (item.signal.id === "home-folder" && item.isRaised));
  const isDangerous = ids.has("network") && (ids.has("process") || reachesSecrets);
  return isDangerous ? "danger" : signalRules["py-import-time-call"].level;
}

const capped = (signal: Signal, most: SignalLevel): Signal =>
  signalLevels.indexOf(signal.level) > signalLevels.indexOf(most) ? { ...signal, level: most } : signal;

const higher = (one: SignalLevel, other: SignalLevel): SignalLevel =>
  signalLevels.indexOf(one) > signalLevels.indexOf(other) ? one : other;
