import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { ByteStream } from "./byte-stream.ts";
import { gunzip } from "./gunzip.ts";
import { checkLetterCase, isBelowFile, isDebris, LinkTree, linkTarget, safeSegments, unsafe } from "./member-paths.ts";
import { ReadingBudget } from "./reading-budget.ts";
import { type TarMember, tarMembers } from "./tar.ts";

/** The requested contents of a package archive. */
export interface PackageArchive {
  /** The only top-level folder; undefined if all files are at the top. */
  root: string | undefined;
  /** Wanted files by their path below the root. */
  files: ReadonlyMap<string, Uint8Array>;
}

/** Files that are read in the same pass as an archive's own, each at most up to a length. */
export interface FurtherFiles {
  /** How many bytes of the file with this path below the root are wanted; undefined for none, not even its name. */
  wanted(path: string): number | undefined;
  take(path: string, bytes: Uint8Array): void;
}

/**
 * Reads a gzipped tar from front to back without writing anything, in any order of its members.
 * Every member is checked, also unwanted ones: one unsafe entry refuses the whole archive.
 */
export async function readTarGz(
  source: ByteSource,
  wanted: (path: string) => boolean,
  limits: ReadLimits,
  further?: FurtherFiles,
): Promise<PackageArchive> {
  const repeated = new Set<string>();
  const archive = await withMembersOf(source, limits, (input) =>
    readMembers(input, { wanted, further }, limits, repeated),
  );
  if (repeated.size > 0) await withMembersOf(source, limits, (input) => checkRepeated(input, limits, repeated));
  return archive;
}

async function withMembersOf<T>(
  source: ByteSource,
  limits: ReadLimits,
  read: (input: ByteStream) => Promise<T>,
): Promise<T> {
  const input = new ByteStream(gunzip(source, limits));
  try {
    const result = await read(input);
    await input.drain();
    return result;
  } finally {
    await input.close();
  }
}

async function readMembers(
  input: ByteStream,
  { wanted, further }: { wanted: (path: string) => boolean; further: FurtherFiles | undefined },
  limits: ReadLimits,
  repeated: Set<string>,
): Promise<PackageArchive> {
  const roots = new Roots();
  const links = new LinkTree();
  const names = new Map<string, Kind>();
  const files = new Map<string, Uint8Array>();
  const budget = new ReadingBudget(limits);
  let isEmpty = true;

  for await (const member of tarMembers(input, limits)) {
    isEmpty = false;
    const segments = safeSegments(member.path);
    budget.spend(segments, member.path.length + member.linkPath.length);
    checkMember(member, segments, links);
    if (isRepeated(segments.join("/"), kindOf(member), names)) repeated.add(segments.join("/"));
    if (isDebris(segments) || segments.length === 0) continue;
    const path = roots.add(segments, member.type === "directory");
    // Links are never followed.
    if (member.type !== "file") continue;
    const start = further?.wanted(path);
    if (start !== undefined) further?.take(path, await member.content(start));
    if (!wanted(path)) continue;
    if (member.size > limits.maxMetadataBytes) throw new UnacceptablePackage(["archive.too.large"], path);
    files.set(path, await member.content());
  }

  if (isEmpty) throw new UnacceptablePackage(["empty.archive"]);
  checkNames(names);
  checkLetterCase(
    [...names.keys()].map((path) => path.slice(path.indexOf("/") + 1)),
    files,
  );
  return roots.archiveOf(files);
}

/** The top-level folders of an archive; there should be one. */
export class Roots {
  readonly #folders = new Set<string>();
  readonly #filesAtTheTop: string[] = [];

  /** The member's path below its folder. */
  add([root = "", ...below]: readonly string[], isFolder: boolean): string {
    if (below.length > 0 || isFolder) this.#folders.add(root);
    else if (this.#filesAtTheTop.length < mostShown) this.#filesAtTheTop.push(root);
    return below.join("/");
  }

  archiveOf(found: ReadonlyMap<string, Uint8Array>): PackageArchive {
    const [root, ...others] = this.#folders;
    const files = this.#filesAtTheTop;
    if (others.length === 0 && (files.length === 0 || found.size === 0)) return { root, files: found };
    // Packed without its folder: there is no root to look in.
    if (others.length > 0 && files.length > 0) return { root: undefined, files: new Map() };
    // Next to a single file, pip no longer looks into the folder: it would run another `setup.py` than reviewers see.
    const roots = [root, ...others, ...files].slice(0, mostShown);
    throw new UnacceptablePackage(["archive.multiple.roots"], roots.join(", "));
  }
}

const mostShown = 5;

type Kind = "folder" | "file" | "link";
const kindOf = ({ type }: TarMember): Kind => (type === "directory" ? "folder" : type === "file" ? "file" : "link");

/**
 * Readers disagree on which of two files with the same name counts. Folders may be repeated, and so may files with
 * identical bytes: some tools pack a file twice.
 */
function isRepeated(path: string, kind: Kind, names: Map<string, Kind>): boolean {
  const known = names.get(path);
  if (known !== undefined && (known !== kind || kind === "link")) throw twice(path);
  names.set(path, kind);
  return known === "file";
}

/** A file or a link cannot be a folder, too. */
function checkNames(names: ReadonlyMap<string, Kind>): void {
  const others = new Set([...names].flatMap(([path, kind]) => (kind === "folder" ? [] : [path])));
  for (const path of names.keys()) if (isBelowFile(path.split("/"), others)) throw unsafe(path);
}

/** Reads the archive a second time, since the first pass cannot know which files will be repeated. */
async function checkRepeated(input: ByteStream, limits: ReadLimits, repeated: ReadonlySet<string>): Promise<void> {
  const firsts = new Map<string, Uint8Array>();
  let left = limits.maxMetadataBytes;
  for await (const member of tarMembers(input, limits)) {
    const path = safeSegments(member.path).join("/");
    if (!repeated.has(path)) continue;
    const first = firsts.get(path);
    left -= first ? 0 : member.size;
    if (left < 0) throw new UnacceptablePackage(["archive.too.large"], `${path.slice(0, 200)} occurs twice`);
    if (first && first.byteLength !== member.size) throw twice(path);
    const content = await member.content();
    if (first?.some((byte, index) => byte !== content[index])) throw twice(path);
    firsts.set(path, content);
  }
}

const twice = (path: string) =>
  new UnacceptablePackage(["unsafe.archive.entry"], `two members have the name ${path.slice(0, 200)}`);

function checkMember(member: TarMember, segments: readonly string[], links: LinkTree): void {
  if (links.leadsAstray(segments)) throw unsafe(member.path);
  if (member.type === "file") return;
  // Readers disagree on whether such bytes belong to the member or are the next header.
  if (member.type === "other" || member.size > 0) throw unsafe(member.path);
  if (member.type === "directory") return;
  // Symbolic links are relative to their folder, hard links to the archive's root.
  const from = member.type === "symlink" ? segments.slice(0, -1) : [];
  const target = linkTarget(from, member.linkPath);
  if (target[0] !== segments[0]) throw unsafe(member.path);
  // A second name of a symbolic link leads somewhere else where it is in another folder; some readers copy the file.
  if (member.type === "hardlink" && links.has(target)) throw unsafe(member.path);
  if (member.type === "symlink") links.add(segments);
}
