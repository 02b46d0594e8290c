import { extract, type Header } from "tar-stream";
import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { gunzip } from "./gunzip.ts";
import { isDebris, linkTarget, safeSegments, unsafe } from "./member-paths.ts";

/** What a package archive holds, as far as it was asked for. */
export interface PackageArchive {
  /** The only top-level folder; undefined when all files lie at the top. */
  root: string | undefined;
  /** Wanted files by their path below the root. */
  files: ReadonlyMap<string, Uint8Array>;
}

/**
 * Reads a gzipped tar from front to back without writing anything, whatever the order of its members.
 * Every member is checked, also those that nobody wants: one unsafe entry refuses the whole archive.
 */
export async function readTarGz(
  source: ByteSource,
  wanted: (path: string) => boolean,
  limits: ReadLimits,
): Promise<PackageArchive> {
  const roots = new Set<string>();
  let filesAtTheTop = 0;
  const links = new Set<string>();
  const files = new Map<string, Uint8Array>();
  let members = 0;

  const unpacking = extract();
  const feeding = feed(gunzip(source, limits), unpacking);
  try {
    for await (const entry of unpacking) {
      members += 1;
      if (members > limits.maxMembers) throw new UnacceptablePackage(["archive.too.large"]);
      const segments = safeSegments(entry.header.name);
      checkMember(entry.header, segments, links);
      if (isDebris(segments) || segments.length === 0) {
        entry.resume();
        continue;
      }
      const [root = "", ...below] = segments;
      if (below.length > 0 || entry.header.type === "directory") roots.add(root);
      else filesAtTheTop += 1;
      const path = below.join("/");
      if (isFile(entry.header) && wanted(path))
        files.set(path, await contentOf(entry as AsyncIterable<Uint8Array>, entry.header, limits));
      else entry.resume();
    }
    await feeding;
  } catch (error) {
    const cause = await feeding.then(
      () => error,
      (reason: unknown) => reason,
    );
    throw error instanceof UnacceptablePackage ? error : asUnacceptable(cause);
  }
  if (members === 0) throw new UnacceptablePackage(["empty.archive"]);
  // A package that was packed without its folder: there is no root to look in.
  if (roots.size > 1 && filesAtTheTop > 0) return { root: undefined, files: new Map() };
  if (roots.size > 1)
    throw new UnacceptablePackage(["archive.multiple.roots"], "unreadable", [...roots].slice(0, 5).join(", "));
  const [root] = roots;
  return { root, files };
}

/** Hands the bytes over at the reader's pace. When they fail, so does the reader. */
async function feed(bytes: AsyncGenerator<Uint8Array>, unpacking: ReturnType<typeof extract>): Promise<void> {
  try {
    for await (const part of bytes) {
      if (unpacking.destroyed) return;
      if (!unpacking.write(part)) await drained(unpacking);
    }
    unpacking.end(null);
  } catch (error) {
    unpacking.destroy(error instanceof Error ? error : new Error(String(error)));
    throw error;
  }
}

const drained = (stream: ReturnType<typeof extract>): Promise<void> =>
  new Promise((done) => {
    stream.once("drain", done);
    stream.once("close", done);
  });

const isFile = (header: Header): boolean => header.type === "file" || header.type === "contiguous-file";

function checkMember(header: Header, segments: readonly string[], links: Set<string>): void {
  // A member below a link would be written wherever the link leads.
  for (let depth = 1; depth < segments.length; depth += 1) {
    if (links.has(segments.slice(0, depth).join("/"))) throw unsafe(header.name);
  }
  if (header.type === "directory" || isFile(header)) return;
  if (header.type !== "symlink" && header.type !== "link") throw unsafe(header.name);
  // Symbolic links count from where they stand, hard links from the archive's root.
  const from = header.type === "symlink" ? segments.slice(0, -1) : [];
  if (linkTarget(from, header.linkname)[0] !== segments[0]) throw unsafe(header.name);
  if (header.type === "symlink") links.add(segments.join("/"));
}

async function contentOf(entry: AsyncIterable<Uint8Array>, header: Header, limits: ReadLimits): Promise<Uint8Array> {
  if (header.size > limits.maxMetadataBytes)
    throw new UnacceptablePackage(["archive.too.large"], "unreadable", header.name);
  const parts: Uint8Array[] = [];
  for await (const part of entry) parts.push(part);
  return concatenate(parts);
}

export function concatenate(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.byteLength, 0));
  let offset = 0;
  for (const part of parts) {
    whole.set(part, offset);
    offset += part.byteLength;
  }
  return whole;
}

/** What the tar reader itself cannot make sense of. */
const asUnacceptable = (error: unknown): UnacceptablePackage =>
  error instanceof UnacceptablePackage
    ? error
    : new UnacceptablePackage(
        ["could.not.extract.file"],
        "unreadable",
        error instanceof Error ? error.message : undefined,
      );
