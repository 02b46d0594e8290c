import type { InspectedFile, Signal } from "@packhouse/contract/review/inspection";
import type { SignalLevel } from "@packhouse/contract/review/signals";
import { isLzma, isRDataName } from "../../reading/file-kind.ts";
import { isOfTests } from "../../rules/places.ts";
import { signalOf } from "../../signal.ts";
import { unmistakable } from "../code/watched-functions.ts";
import { type CodeInData, readSerialized, type SerializedContent } from "./serialization.ts";

/** Code in data, which is unpacked already; of data that cannot be read, that it cannot. */
export function dataSignals({ path, kind }: InspectedFile, bytes: Uint8Array): Signal[] {
  // R loads LZMA, which nothing here unpacks.
  if (kind !== "r-data" && !isRDataName(path) && !isLzma(bytes)) return [];
  const content = readSerialized(bytes);
  const found = content ? codeSignals(path, content) : [];
  const isExamined = content?.isComplete || content?.code.some((one) => one.kind === "bytecode");
  if (!isExamined)
    found.push({
      id: "unparsed",
      level: levelUnread(path, bytes),
      subject: "r-data",
      file: path,
      line: null,
      excerpt: null,
    });
  return found;
}

/** R may load what could not be examined. Packages test what happens with damaged data. */
const levelUnread = (path: string, { byteLength }: Uint8Array): SignalLevel =>
  byteLength === 0 || isOfTests(path) ? "notice" : "warning";

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
