import type { ByteSource } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { ByteStream } from "./byte-stream.ts";
import { gunzip } from "./gunzip.ts";
import { isDebris, LinkTree, linkTarget, safeSegments, unsafe } from "./member-paths.ts";
import { ReadingBudget } from "./reading-budget.ts";
import { type TarMember, tarMembers } from "./tar.ts";

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
  const input = new ByteStream(gunzip(source, limits));
  try {
    const archive = await readMembers(input, wanted, limits);
    await input.drain();
    return archive;
  } finally {
    await input.close();
  }
}

async function readMembers(
  input: ByteStream,
  wanted: (path: string) => boolean,
  limits: ReadLimits,
): Promise<PackageArchive> {
  const roots = new Roots();
  const links = new LinkTree();
  const names = new Map<string, "folder" | "other">();
  const files = new Map<string, Uint8Array>();
  const budget = new ReadingBudget(limits);
  let isEmpty = true;

  for await (const member of tarMembers(input, limits)) {
    isEmpty = false;
    const segments = safeSegments(member.path);
    budget.spend(segments, member.path.length + member.linkPath.length);
    checkMember(member, segments, links);
    checkUnique(segments.join("/"), member.type === "directory" ? "folder" : "other", names);
    if (isDebris(segments) || segments.length === 0) continue;
    const path = roots.add(segments, member.type === "directory");
    if (!wanted(path)) continue;
    // Links are never followed.
    if (member.type !== "file") continue;
    if (member.size > limits.maxMetadataBytes) throw new UnacceptablePackage(["archive.too.large"], path);
    files.set(path, await member.content());
  }

  if (isEmpty) throw new UnacceptablePackage(["empty.archive"]);
  return roots.archiveOf(files);
}

/** The top-level folders of an archive, of which there should be one. */
export class Roots {
  readonly #folders = new Set<string>();
  #filesAtTheTop = 0;

  /** The member's path below its folder. */
  add([root = "", ...below]: readonly string[], isFolder: boolean): string {
    if (below.length > 0 || isFolder) this.#folders.add(root);
    else this.#filesAtTheTop += 1;
    return below.join("/");
  }

  archiveOf(files: ReadonlyMap<string, Uint8Array>): PackageArchive {
    const [root, ...others] = this.#folders;
    if (others.length === 0) return { root, files };
    // A package that was packed without its folder: there is no root to look in.
    if (this.#filesAtTheTop > 0) return { root: undefined, files: new Map() };
    throw new UnacceptablePackage(["archive.multiple.roots"], [root, ...others].slice(0, 5).join(", "));
  }
}

/** Which of two files of one name counts, readers decide differently. Folders may be named again. */
function checkUnique(path: string, kind: "folder" | "other", names: Map<string, "folder" | "other">): void {
  const known = names.get(path);
  if (known !== undefined && (known === "other" || kind === "other"))
    throw new UnacceptablePackage(["unsafe.archive.entry"], `two members are called ${path.slice(0, 200)}`);
  names.set(path, kind);
}

function checkMember(member: TarMember, segments: readonly string[], links: LinkTree): void {
  if (links.leadsAstray(segments)) throw unsafe(member.path);
  if (member.type === "file") return;
  // Readers disagree on whether such bytes are the member's or the next header.
  if (member.type === "other" || member.size > 0) throw unsafe(member.path);
  if (member.type === "directory") return;
  // Symbolic links count from where they stand, hard links from the archive's root.
  const from = member.type === "symlink" ? segments.slice(0, -1) : [];
  if (linkTarget(from, member.linkPath)[0] !== segments[0]) throw unsafe(member.path);
  if (member.type === "symlink") links.add(segments);
}
