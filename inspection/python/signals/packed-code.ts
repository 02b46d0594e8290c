import type { InspectedFile, Signal } from "@packhouse/contract/review/inspection";
import { extensionOf, isOfTests } from "../../rules/places.ts";
import { signalOf } from "../../signal.ts";
import { isProjectPath } from "../interface/modules.ts";

/** Names under which everyone expects an archive of code. */
const archives = new Set(["zip", "egg", "whl", "pyz"]);

/**
 * Python imports modules from a zip with any name, whatever is in front of it. They are not examined: a reviewer should
 * know of them, all the more where the name says something else.
 */
export function packedCodeSignals({ path }: InspectedFile, bytes: Uint8Array): Signal[] {
  const code = firstModule(bytes);
  if (code === undefined) return [];
  const isExpected = archives.has(extensionOf(path));
  const level = isOfTests(path) || isProjectPath(path) ? "notice" : "warning";
  const found: Signal = signalOf("content-differs-from-name", { level, subject: "archive", file: path, excerpt: code });
  return [isExpected ? { ...found, id: "unparsed" } : found];
}

const endSize = 22;
const longestComment = 0xffff;
const entrySize = 46;

/** The first Python module that the directory of a zip names, which is at its end. */
function firstModule(bytes: Uint8Array): string | undefined {
  const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const from = Math.max(file.byteLength - endSize - longestComment, 0);
  const end = file.subarray(from).lastIndexOf("PK\x05\x06", undefined, "latin1") + from;
  if (end < from || end + endSize > file.byteLength) return undefined;
  // What is in front of the zip moves its directory, which is right before its end.
  let at = end - file.readUInt32LE(end + 12);
  while (at >= 0 && at + entrySize <= end && file.toString("latin1", at, at + 4) === "PK\x01\x02") {
    const [name, extra, comment] = [28, 30, 32].map((offset) => file.readUInt16LE(at + offset));
    const path = file.toString("utf8", at + entrySize, at + entrySize + (name ?? 0));
    if (/\.py[co]?$/.test(path)) return path;
    at += entrySize + (name ?? 0) + (extra ?? 0) + (comment ?? 0);
  }
  return undefined;
}
