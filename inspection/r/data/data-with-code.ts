import type { InspectedFile, Signal } from "@packhouse/contract/review/inspection";
import type { SignalLevel } from "@packhouse/contract/review/signals";
import { isRDataName } from "../../reading/file-kind.ts";
import { signalOf } from "../../signal.ts";
import { unmistakable } from "../code/watched-functions.ts";
import { type CodeInData, readSerialized, type SerializedContent } from "./serialization.ts";

/** Code in data, which is unpacked already; of data that cannot be read, that it cannot. */
export function dataSignals({ path, kind }: InspectedFile, bytes: Uint8Array): Signal[] {
  if (kind !== "r-data" && !isRDataName(path)) return [];
  const content = readSerialized(bytes);
  const found = content ? codeSignals(path, content) : [];
  const isExamined = content?.isComplete || content?.code.some((one) => one.kind === "bytecode");
  if (!isExamined)
    found.push({ id: "unparsed", level: "notice", subject: "r-data", file: path, line: null, excerpt: null });
  return found;
}

function codeSignals(path: string, content: SerializedContent): Signal[] {
  const programs = [...unmistakable].filter((name) => content.symbols.has(name));
  const withFunctions = new Set(content.code.filter(({ kind }) => kind === "function").map(({ object }) => object));
  // A function consists of calls.
  const code = content.code.filter(({ kind, object }) => kind !== "call" || !withFunctions.has(object));
  return code.map(({ kind, object }) =>
    signalOf(kind === "bytecode" ? "bytecode-without-source" : "r-data-with-code", {
      level: levelOf(kind, programs.length > 0),
      subject: kind,
      file: path,
      excerpt: [object, programs.join(", ")].filter(Boolean).join(": ") || null,
    }),
  );
}

/**
 * Functions run when they are called, promises as soon as someone looks at them. Calls and environments are part of
 * formulas and fitted models, and only evaluated by code that asks for it.
 */
function levelOf(kind: CodeInData, isReaching: boolean): SignalLevel {
  if (isReaching && kind !== "environment") return "danger";
  return levels[kind];
}

const levels: Readonly<Record<CodeInData, SignalLevel>> = {
  function: "danger",
  promise: "danger",
  bytecode: "danger",
  call: "notice",
  environment: "info",
};
