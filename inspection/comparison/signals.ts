import type { Comparison } from "@packhouse/contract/review/comparison";
import type { Inspection, Signal } from "@packhouse/contract/review/inspection";
import { type SignalRule, signalLevels, signalRules } from "@packhouse/contract/review/signals";
import type { Technology } from "@packhouse/contract/technology";
import { isSuspicious, texts } from "../r/code/suspicious-use.ts";
import { abilityOf } from "../r/code/watched-functions.ts";
import { hostsIn } from "../rules/hosts.ts";
import { dropHost, isNumericAddress } from "../rules/suspicious-texts.ts";
import { lower } from "../signal.ts";

/** Where the subject alone decides whether a signal is known: the line around it may change. */
const bySubject = new Set<Signal["id"]>(["host", "builder-path", "new-executable", "future-date"]);

/** Equal for the same observation in two releases, wherever in the package it is and however it is set. */
const keyOf = ({ id, subject, excerpt }: Signal): string =>
  JSON.stringify([id, subject, bySubject.has(id) ? null : (excerpt?.replace(/\s+/g, "") ?? null)]);

/**
 * A line that calls the same functions and has the same texts as before names the same place, whatever else was edited:
 * a notice. A further mention in the file is new, and so is one where something else is done with it.
 */
const edited = new Set<Signal["id"]>(["home-folder"]);
const editedKeyOf = ({ id, subject, file, level, excerpt }: Signal): string =>
  JSON.stringify([id, subject, file, level, callsIn(excerpt ?? ""), (excerpt ?? "").match(texts)]);
/** Compilers whose options change with the package: once a recipe runs one, that it does so is no news. */
const builders = new Set(["cargo", "rustc", "go", "javac", "nvcc", "bison", "flex", "swig", "protoc"]);
const isBuilding = ({ id, subject }: Signal): boolean => id === "r-makevars-shell" && builders.has(subject);
const recipeOf = ({ subject, file }: Signal): string => JSON.stringify([subject, file]);

/** Names before an opening parenthesis. */
const callsIn = (text: string): string[] =>
  text
    .split("(")
    .slice(0, -1)
    .map((part) => part.split(/[^\w.]/).at(-1) ?? "")
    .filter((name) => name !== "");
/** What is new, what is gone and what was there before; each as often as it occurs. */
export function compareSignals(
  before: Inspection | null,
  after: Inspection,
  compared: readonly Signal[],
): Comparison["signals"] {
  const known = counted(before?.signals ?? [], keyOf);
  const result: Comparison["signals"] = { fresh: [], gone: [], unchanged: [] };
  const others: Signal[] = [];
  for (const signal of after.signals) (known.get(keyOf(signal))?.shift() ? result.unchanged : others).push(signal);
  const left = counted([...known.values()].flat(), editedKeyOf);
  const doneBefore = before && !listsFirstUses[before.technology] ? usesIn(before) : new Set();
  const hosts = new Set(before?.signals.filter(({ id }) => id === "host").map(({ subject }) => subject));
  const built = new Set((before?.signals ?? []).filter(isBuilding).map(recipeOf));
  for (const signal of others) {
    const isKnown =
      (isBuilding(signal) && built.has(recipeOf(signal)) && !isSuspicious(signal.excerpt ?? "")) ||
      (edited.has(signal.id) && left.get(editedKeyOf(signal))?.shift() !== undefined) ||
      (before !== null && (isKnownPlace(signal, hosts) || isOwnSecret(signal, before)));
    if (isKnown) result.fresh.push(asNotice(signal));
    else if (!before) result.fresh.push(inNewPackage(signal));
    else result.fresh.push(doneBefore.has(useOf(signal)) ? asUse(signal) : signal);
  }
  result.gone = [...left.values()].flat();
  result.fresh.push(...compared);
  result.fresh.sort(byLevel);
  return result;
}

/** A call that names hosts only, and only those that the base names: it talks to whom it talked before. */
function isKnownPlace({ id, level, excerpt }: Signal, known: ReadonlySet<string>): boolean {
  if (id !== "network" || level !== "warning" || excerpt === null) return false;
  const named = [...hostsIn(excerpt)].map(({ host }) => host);
  return named.length > 0 && named.every((host) => known.has(host) && !isNumericAddress(host)) && !dropHost(excerpt);
}

/** Another variable of the package's own, where the base read such a secret already: `TIDES_TOKEN` for `TIDES_KEY`. */
function isOwnSecret({ id, subject, excerpt }: Signal, { name, signals }: Inspection): boolean {
  if (id !== "secret-environment" || excerpt !== null) return false;
  const own = (variable: string): boolean =>
    variable.toLowerCase().startsWith(`${name.toLowerCase().replaceAll(/[-.]/g, "_")}_`);
  return own(subject) && signals.some((known) => known.id === id && own(known.subject));
}

const asNotice = (signal: Signal): Signal => ({ ...signal, level: lower(signal.level, "notice") });

/** Signals by what makes them equal, in their order. */
function counted(signals: readonly Signal[], key: (signal: Signal) => string): Map<string, Signal[]> {
  const found = new Map<string, Signal[]>();
  for (const signal of signals) {
    const same = found.get(key(signal));
    if (same) same.push(signal);
    else found.set(key(signal), [signal]);
  }
  return found;
}

/** Whether the inspector itself lists the first use of something apart from later ones. */
const listsFirstUses: Readonly<Record<Technology, boolean>> = { Python: true, R: false };

/** What the package's own code does already: of each use, the next one is no news. */
const usesIn = ({ signals }: Inspection): ReadonlySet<string> =>
  new Set(signals.filter(({ id, level }) => reaching.has(id) && level === "warning").map(useOf));
const useOf = ({ id, subject }: Signal): string => `${id} ${abilityOf(subject)}`;
const reaching = new Set<Signal["id"]>(["process", "network", "clipboard", "keyring"]);

/** One more use counts as a notice, unless its details are suspicious; what has no excerpt is a first use. */
const asUse = (signal: Signal): Signal =>
  signal.excerpt === null || isSuspicious(signal.excerpt) ? signal : asNotice(signal);

/**
 * Without a base, everything is new: what is not dangerous on its own counts as a notice at most. An inspector raises to
 * *danger* what its details show to be, such as a download that is run at installation.
 */
function inNewPackage(signal: Signal): Signal {
  const rule: SignalRule = signalRules[signal.id];
  return rule.dangerousAlone || signal.level === "danger" ? signal : asNotice(signal);
}

/** The highest first. */
const byLevel = (a: Signal, b: Signal): number => signalLevels.indexOf(b.level) - signalLevels.indexOf(a.level);
