import { createHash } from "node:crypto";
import type { InspectedFile } from "@packhouse/contract/review/inspection";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import type { TechnologyInspector } from "../technology-inspector.ts";
import { countLines, decodeText } from "./decode-text.ts";
import { headSize, isBzip2, isRData, isXz, kindOfBytes } from "./file-kind.ts";
import { generatedBy } from "./generated.ts";
import { knownCodeOf, type ReadCode } from "./known-code.ts";
import { type ArchiveMember, archiveMembers } from "./members.ts";
import type { Progress } from "./progress.ts";
import type { SignalCollector } from "./signal-collector.ts";
import { firstErrorLine, parse, parserOf } from "./syntax.ts";
import { unpack } from "./unpack.ts";

/** What was read of an archive. */
export interface Reading<Facts> {
  files: InspectedFile[];
  /** The files that were asked for, by path. */
  kept: Map<string, Uint8Array>;
  code: Map<string, Facts>;
  texts: Map<string, string>;
}

interface Sources<Facts> {
  source: ByteSource;
  fileName: string;
  inspector: TechnologyInspector<Facts>;
  isMetadata(path: string): boolean;
  /** Other texts that are needed in the end. */
  isKept(path: string): boolean;
  progress: Progress;
  signals: SignalCollector;
}

/** Reads an archive once from front to back, as far as the limits allow. */
export async function readArchive<Facts>(from: Sources<Facts>): Promise<Reading<Facts>> {
  const { source, fileName, progress } = from;
  const files = new Map<string, InspectedFile>();
  const reading = { kept: new Map(), code: new Map(), texts: new Map() };
  const reader = new MemberReader(from, reading);
  try {
    for await (const member of archiveMembers(source, fileName, progress.limits)) {
      if (progress.isOver) {
        progress.leaveOut("time", member.path);
        break;
      }
      if (files.size >= progress.limits.files) {
        progress.leaveOut("files", member.path);
        break;
      }
      const file = await reader.read(member);
      if (file === undefined) break;
      // The last of several files of one name is what unpacking leaves.
      files.set(file.path, file);
    }
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    progress.leaveOut(error.codes.includes("archive.too.large") ? "size" : "unreadable");
  }
  return { files: [...files.values()], ...reading };
}

/** Whether a file is, or may be, R data in compressed form. */
const isPacked = (head: Uint8Array, known: InspectedFile["kind"] | undefined): boolean =>
  known === "r-data" || isXz(head) || isBzip2(head);

class MemberReader<Facts> {
  readonly #from: Sources<Facts>;
  readonly #reading: Omit<Reading<Facts>, "files">;
  #keptBytes = 0;
  #codeBytes = 0;

  constructor(from: Sources<Facts>, reading: Omit<Reading<Facts>, "files">) {
    this.#from = from;
    this.#reading = reading;
  }

  /** Undefined if the time ran out while it was read. */
  async read(member: ArchiveMember): Promise<InspectedFile | undefined> {
    const { progress, signals, inspector } = this.#from;
    const { path, mode, size, modified } = member;
    if (member.linkTarget !== null) {
      const sha256 = createHash("sha256").update(member.linkTarget).digest("hex");
      return { path, size: 0, mode, sha256, kind: "other", encoding: null, lines: null, generated: false };
    }
    const read = await this.#bytesOf(member);
    if (read === undefined) return undefined;
    const { head, bytes, sha256 } = read;
    const known = kindOfBytes(head);
    const bounds = { mostBytes: progress.limits.textBytes, isOver: () => progress.isOver };
    const unpacked = bytes && isPacked(head, known) ? await unpack(bytes, isRData, bounds) : "other";
    const decoded = known === undefined ? decodeText(bytes ?? head, bytes !== null) : null;
    const text = bytes && decoded ? decoded.text : null;
    const kind = unpacked === "other" ? (known ?? (decoded ? "text" : "other")) : "r-data";
    const isUnexamined = bytes === null && (kind === "text" || kind === "r-data");
    if (unpacked === "large" || isUnexamined) progress.leaveOut("size", path);
    if (unpacked === "late") progress.leaveOut("time", path);
    const file: InspectedFile = {
      path,
      size,
      mode,
      sha256,
      kind,
      encoding: text === null ? null : (decoded?.encoding ?? null),
      lines: text === null ? null : countLines(text),
      generated: generatedBy(path, text ?? ""),
    };
    signals.examine({ path, kind, size, mode, modified, head, bytes }, text);
    if (text !== null) await this.#inspectText(file, text);
    const content = typeof unpacked === "string" ? bytes : unpacked;
    if (content && kind !== "text") signals.add(this.#careful(path, () => inspector.inspectBytes?.(file, content)));
    if (bytes && this.#from.isMetadata(path) && this.#canKeep(path, size)) this.#reading.kept.set(path, bytes);
    return file;
  }

  /** The digest of a member; its bytes only if it is small enough to be examined. */
  async #bytesOf(member: ArchiveMember) {
    const { progress } = this.#from;
    const isExamined = member.size <= progress.limits.textBytes;
    const bytes = new Uint8Array(isExamined ? member.size : Math.min(member.size, headSize));
    const digest = createHash("sha256");
    let read = 0;
    for await (const piece of member.pieces()) {
      if (read < bytes.byteLength) bytes.set(piece.subarray(0, bytes.byteLength - read), read);
      read += piece.byteLength;
      digest.update(piece);
      if (progress.isOver) {
        progress.leaveOut("time", member.path);
        return undefined;
      }
    }
    return { head: bytes.subarray(0, headSize), bytes: isExamined ? bytes : null, sha256: digest.digest("hex") };
  }

  async #inspectText(file: InspectedFile, text: string): Promise<void> {
    const { inspector, isKept } = this.#from;
    const { path } = file;
    if ((isKept(path) || inspector.isKept(path)) && this.#canKeep(path, 2 * text.length))
      this.#reading.texts.set(path, text);
    const isCode = inspector.isCode(path);
    const code = isCode ? text : inspector.codeIn?.(path, text);
    if (code === undefined) return;
    const errorLine = await this.#inspectCode(file, code);
    // Documents show code that is not meant to run as it stands.
    if (isCode && errorLine !== null) this.#from.signals.unparsed(path, text, errorLine);
  }

  /** Where the code stops being its language; null if all of it is, or if it was not read. */
  async #inspectCode({ path, sha256 }: InspectedFile, text: string): Promise<number | null> {
    const { inspector, progress } = this.#from;
    if (text.length > progress.limits.codeBytes) {
      progress.leaveOut("size", path);
      return null;
    }
    this.#codeBytes += text.length;
    if (this.#codeBytes > progress.limits.allCodeBytes) {
      progress.leaveOut("memory", path);
      return null;
    }
    const known = knownCodeOf(inspector);
    const read = known.get(path, sha256) ?? (await this.#readCode(path, text));
    if (read === undefined) return null;
    if (read.found === undefined) return read.errorLine;
    this.#reading.code.set(path, read.found.facts);
    known.add(path, sha256, read, text.length);
    return read.errorLine;
  }

  /** Undefined if the time ran out. */
  async #readCode(path: string, text: string): Promise<ReadCode<Facts> | undefined> {
    const { inspector, progress } = this.#from;
    const tree = parse(await parserOf(inspector.grammar), text, () => progress.isOver);
    if (!tree) {
      progress.leaveOut("time", path);
      return undefined;
    }
    try {
      const root = tree.rootNode;
      const errorLine = firstErrorLine(root);
      return { errorLine, found: this.#careful(path, () => ({ facts: inspector.inspectCode({ path, text, root }) })) };
    } finally {
      tree.delete();
    }
  }

  /** Code that is nested too deeply for the inspector counts as not examined. */
  #careful<Result>(path: string, run: () => Result): Result | undefined {
    try {
      return run();
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      this.#from.progress.leaveOut("unreadable", path);
      return undefined;
    }
  }

  #canKeep(path: string, bytes: number): boolean {
    const { progress } = this.#from;
    if (this.#keptBytes + bytes > progress.limits.keptBytes) {
      progress.leaveOut("memory", path);
      return false;
    }
    this.#keptBytes += bytes;
    return true;
  }
}
