import { createHash } from "node:crypto";
import type { InspectedFile } from "@packhouse/contract/review/inspection";
import type { ByteSource } from "@packhouse/formats/byte-source";
import { UnacceptablePackage } from "@packhouse/formats/unacceptable-package";
import { isReadAsText } from "../rules/places.ts";
import type { TechnologyInspector } from "../technology-inspector.ts";
import { countLines } from "./decode-text.ts";
import { headSize, isBzip2, isRData, isRDataName, isXz } from "./file-kind.ts";
import { fileText } from "./file-text.ts";
import { generatedBy } from "./generated.ts";
import { knownCodeOf, type ReadCode } from "./known-code.ts";
import { linkSignals } from "./link-signals.ts";
import { Links } from "./links.ts";
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
  const { progress } = from;
  const files = new Map<string, InspectedFile>();
  const reading = { kept: new Map(), code: new Map(), texts: new Map() };
  const reader = new MemberReader(from, reading);
  try {
    const links = await readMembers(from, reader, files);
    if (links.size > 0) await readLinked(from, { reader, files, links });
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    progress.leaveOut(error.codes.includes("archive.too.large") ? "size" : "unreadable");
  }
  return { files: [...files.values()], ...reading };
}

async function readMembers<Facts>(
  { source, fileName, progress }: Sources<Facts>,
  reader: MemberReader<Facts>,
  files: Map<string, InspectedFile>,
): Promise<Links> {
  const links = new Links();
  for await (const member of archiveMembers(source, fileName, progress.limits)) {
    if (progress.isOver) {
      progress.leaveOut("time", member.path);
      break;
    }
    if (files.size >= progress.limits.files) {
      progress.leaveOut("files", member.path);
      break;
    }
    const file = member.linkTarget === null ? await reader.read(member) : asLink(member, member.linkTarget);
    if (file === undefined) break;
    // The last of several files of one name is what unpacking leaves.
    files.set(file.path, file);
    if (member.linkTarget !== null) links.add(file.path, member.linkTarget);
  }
  return links;
}

function asLink({ path, mode }: ArchiveMember, target: string): InspectedFile {
  const sha256 = createHash("sha256").update(target).digest("hex");
  return { path, size: 0, mode, sha256, kind: "other", encoding: null, lines: null, generated: false };
}

/**
 * What is opened through links counts as if it were there: installing runs it under that name. The archive is read once
 * more, since links may come before what they lead to.
 */
async function readLinked<Facts>(
  { source, fileName, inspector, progress, signals }: Sources<Facts>,
  { reader, files, links }: { reader: MemberReader<Facts>; files: Map<string, InspectedFile>; links: Links },
): Promise<void> {
  const itself = [...files.keys()].filter((path) => !links.has(path));
  const { linked, isComplete } = links.linkedFiles(itself, progress.limits.files);
  if (!isComplete) progress.leaveOut("files");
  const isCode = (path: string) => isReadAsText(path) || inspector.isCode(path) || inspector.isKept(path);
  const examined = linked.filter(
    ({ path, file }) => isCode(path) || isRDataName(path) || files.get(file)?.kind === "r-data",
  );
  signals.add(linkSignals(links, linked, isCode));
  const wanted = Map.groupBy(examined, ({ file }) => file);
  if (wanted.size === 0) return;
  for await (const member of archiveMembers(source, fileName, progress.limits)) {
    const paths = member.linkTarget === null ? wanted.get(member.path) : undefined;
    if (paths === undefined) continue;
    wanted.delete(member.path);
    for (const file of await reader.readAs(
      member,
      paths.map(({ path }) => path),
    )) {
      if (files.size >= progress.limits.files) return progress.leaveOut("files", file.path);
      files.set(file.path, file);
    }
    if (progress.isOver) return progress.leaveOut("time", member.path);
  }
}

/** What is looked into. */
const examinedKinds: ReadonlySet<InspectedFile["kind"]> = new Set(["text", "r-data", "python-bytecode"]);

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
    return (await this.readAs(member, [member.path]))[0];
  }

  /** The same file under several paths; as many as there is time for. */
  async readAs(member: ArchiveMember, paths: readonly string[]): Promise<InspectedFile[]> {
    const { progress } = this.#from;
    const read = await this.#bytesOf(member);
    const files: InspectedFile[] = [];
    for (const path of read === undefined ? [] : paths) {
      if (progress.isOver && files.length > 0) {
        progress.leaveOut("time", path);
        break;
      }
      if (read) files.push(await this.#examine({ ...member, path }, read));
    }
    return files;
  }

  async #examine(
    { path, mode, size, modified }: Omit<ArchiveMember, "pieces">,
    { head, bytes, sha256 }: { head: Uint8Array; bytes: Uint8Array | null; sha256: string },
  ): Promise<InspectedFile> {
    const { progress, signals, inspector } = this.#from;
    const { known, decoded, isDamaged } = fileText(path, bytes ?? head, bytes !== null);
    const bounds = { mostBytes: progress.limits.textBytes, isOver: () => progress.isOver };
    const unpacked = bytes && isPacked(head, known) ? await unpack(bytes, isRData, bounds) : "other";
    const text = bytes && decoded ? decoded.text : null;
    const kind = unpacked === "other" ? (known ?? (decoded ? "text" : "other")) : "r-data";
    const isUnexamined = bytes === null && (examinedKinds.has(kind) || isReadAsText(path));
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
    signals.examine({ path, kind, size, mode, modified, head, bytes, isDamaged }, text);
    if (text !== null) await this.#inspectText(file, text);
    // What is too large to be unpacked counts as not examined already.
    const content = unpacked === "other" ? bytes : typeof unpacked === "string" ? null : unpacked;
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
    if (this.#codeBytes > progress.limits.allCodeBytes || !progress.hasRoomFor(text)) {
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
    const parsed = inspector.withNewlines?.(text) ?? text;
    const tree = parse(await parserOf(inspector.grammar), parsed, () => progress.isOver);
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
