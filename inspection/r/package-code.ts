import type { Signal } from "@packhouse/contract/review/inspection";
import type { CodeFacts, NamedUse, OwnFunction } from "./code/code-facts.ts";
import { isAside, isHigher } from "./code/findings.ts";
import type { Namespace } from "./interface/namespace.ts";

/** Signals that depend on more than one file of a package's code. */
export function signalsOfPackage(code: ReadonlyMap<string, CodeFacts>, namespace: Namespace): Signal[] {
  const files = [...code.values()];
  const functions = new Map<string, OwnFunction>();
  for (const one of files.flatMap((file) => file.functions))
    functions.set(one.name, merged(functions.get(one.name), one));
  const isReal = (use: NamedUse, file: CodeFacts) => isRealUse(use, { functions, namespace, file });
  const reaching = reachingFunctions(files, functions, isReal);
  const decoding = new Set([...functions.values()].filter((one) => one.decodes).map(({ name }) => name));
  const sending = new Set(files.filter(sendsEnvironment));
  const sends = (file: CodeFacts) => sending.has(file);
  return files.flatMap((file) => [
    ...file.signals.map((signal) => (sends(file) ? asSent(signal) : signal)),
    ...file.named.flatMap((one) => (isReal(one, file) ? [sends(file) ? asSent(one.signal) : one.signal] : [])),
    ...file.given.flatMap(({ to, signal }) => (functions.get(to)?.runsParameter ? [signal] : [])),
    ...file.dependent.flatMap((one) => (one.functions.some((name) => decoding.has(name)) ? [one.signal] : [])),
    ...file.running.flatMap(({ signal, calls, through, isSignal }): Signal[] => {
      if (through !== null && !functions.get(through)?.runsParameter) return [];
      if (calls !== null && reaching.has(calls)) return [{ ...signal, level: "warning" }];
      return isSignal ? [signal] : [];
    }),
  ]);
}

/** Of several definitions of a name, which one counts depends on the system. */
const merged = (one: OwnFunction | undefined, other: OwnFunction): OwnFunction =>
  one === undefined
    ? other
    : {
        ...other,
        mentions: new Set([...one.mentions, ...other.mentions]),
        decodes: one.decodes || other.decodes,
        runsParameter: one.runsParameter || other.runsParameter,
        isCertain: one.isCertain || other.isCertain,
      };

/** Reads what identifies the machine or its user, and connects somewhere. */
function sendsEnvironment({ signals, named }: CodeFacts): boolean {
  const all = [...signals, ...named.map(({ signal }) => signal)];
  return all.some(isIdentifying) && all.some(({ id }) => id === "network");
}
const isIdentifying = ({ id, subject }: Signal): boolean =>
  (id === "secret-environment" && subject === "Sys.getenv()") || (id === "environment" && subject === "Sys.info");
/** Packages ask what they run on for many reasons, tests for few. */
const asSent = (signal: Signal): Signal =>
  isIdentifying(signal) && isAside(signal.file ?? "") ? { ...signal, level: "warning" } : signal;

interface Names {
  functions: ReadonlyMap<string, OwnFunction>;
  namespace: Namespace;
  file: CodeFacts;
}

/** Whether a name means the function of R or of a package, not one that the package defines itself. */
function isRealUse({ name, package: from }: NamedUse, { functions, namespace, file }: Names): boolean {
  if (functions.get(name)?.isCertain) return false;
  if (from === null) return true;
  return namespace.imports.has(from) || namespace.importsFrom.get(name) === from || file.attached.has(from);
}

/** The functions of the package that start programs or connect somewhere, themselves or through others. */
function reachingFunctions(
  files: readonly CodeFacts[],
  functions: ReadonlyMap<string, OwnFunction>,
  isReal: (use: NamedUse, file: CodeFacts) => boolean,
): ReadonlySet<string> {
  const mentionedBy = new Map<string, string[]>();
  for (const { name, mentions } of functions.values())
    for (const mentioned of mentions)
      if (functions.has(mentioned)) {
        const list = mentionedBy.get(mentioned);
        if (list) list.push(name);
        else mentionedBy.set(mentioned, [name]);
      }
  const found = new Set<string>();
  for (const file of files)
    for (const one of file.functions)
      if (one.reaches || one.reachesIf.some((use) => isReal(use, file))) found.add(one.name);
  for (const name of found) for (const user of mentionedBy.get(name) ?? []) found.add(user);
  return found;
}

/** Each observation once per file and line, with its highest level. */
export function withoutRepetitions(signals: readonly Signal[]): Signal[] {
  const found = new Map<string, Signal>();
  for (const signal of signals) {
    const key = JSON.stringify([signal.id, signal.subject, signal.file, signal.line, signal.excerpt]);
    const earlier = found.get(key);
    if (!earlier || isHigher(signal.level, earlier.level)) found.set(key, signal);
  }
  return [...found.values()];
}
