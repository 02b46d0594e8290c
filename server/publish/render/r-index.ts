import type { RMetadata } from "@packhouse/formats/package-file";
import { takesSources } from "@packhouse/formats/r/binary-target";
import { binaryFields, emptyColumn, packagesShard, sourceFields } from "@packhouse/formats/r/packages-index";
import { archiveRds, archiveShard, packagesRds } from "@packhouse/formats/r/rds";
import { compareVersions } from "@packhouse/formats/r/version";
import {
  type Block,
  blockOf,
  type IndexFile,
  type IndexLayout,
  indexFile,
  type PublicFile,
  type PublicPackage,
  type Slice,
} from "../records/index-layout.ts";
import { deflatePiece, type GzipPiece, gzipHeader, gzipTrailer, storedPieces } from "./gzip-pieces.ts";

/** A compressed piece of a part's block, with what the surrounding gzip file needs to know. */
interface PackedSlice extends Slice, GzipPiece {}

/** The packages of a range of names in one folder, for every form of its index. */
interface RFolder {
  rows: number;
  /** Packages that have archived versions. */
  archived: number;
  /** The block with the records as plain text. */
  text: { digest: string; size: number };
  /** The block with everything compressed. */
  packed: string;
  /**
   * Compressed length, length and CRC of each piece: records, row names, one for each field, data frames, their names.
   */
  pieces: [length: number, size: number, crc: number][];
}

/** The packages of a range of names, by the folder in which they are published. */
export interface RPart {
  folders: Record<string, RFolder>;
  /** Whether sources are listed in place of missing binaries. */
  redirectToSource: boolean;
}

export const sources = "src/contrib";
const fieldsOf = (folder: string): readonly string[] => (folder === sources ? sourceFields : binaryFields);
const folderOf = ({ kind, target }: PublicPackage): string => (kind === "source" ? sources : target);

/**
 * CRAN's layout: in each folder the newest version of each package next to the index, older ones below `Archive/`.
 * Ranges are names with the same first two characters: some hundreds in a repository of CRAN's size.
 */
export const rLayout: IndexLayout = {
  prefixLength: 2,
  digestOf: () => "md5",
  async renderPart({ redirectToSource }, packages) {
    const byFolder = Map.groupBy(packages, folderOf);
    const offered = redirectToSource ? newestOf(byFolder.get(sources) ?? []) : [];
    const part: RPart = { folders: {}, redirectToSource };
    const blocks: Block[] = [];
    const files: PublicFile[] = [];
    for (const [folder, some] of byFolder) {
      const rendered = await renderFolder(folder, some, takesSources(folder) ? offered : []);
      part.folders[folder] = rendered.content;
      blocks.push(...rendered.blocks);
      files.push(...rendered.files);
    }
    return { content: part, blocks, files };
  },
  renderRoot: async () => ({ content: {}, blocks: [], files: [] }),
};

/** `offered` are sources listed in place of missing or older packages here; their files stay where they are. */
async function renderFolder(folder: string, packages: readonly PublicPackage[], offered: readonly PublicPackage[]) {
  const versions = versionsByName(packages);
  const newest = new Map(newestOf(packages).map((it) => [it.name, it]));
  for (const source of offered) {
    const binary = newest.get(source.name);
    if (!binary || compareVersions(source.version, binary.version) > 0) newest.set(source.name, source);
  }
  const listed = [...newest.values()].sort(byName);
  const archived = versions
    .map((all) => all.filter((it) => newest.get(it.name) !== it))
    .filter((all) => all.length > 0);

  const shard = packagesShard(listed.map(indexed), fieldsOf(folder));
  const archive = archiveShard(archived.map((all) => ({ name: all[0]?.name ?? "", files: all.map(archivedFile) })));
  const pieces = await Promise.all(
    [shard.text, shard.names, ...shard.columns, archive.frames, archive.names].map(deflatePiece),
  );
  const text = blockOf(shard.text);
  const packed = blockOf(Buffer.concat(pieces.map(({ deflated }) => deflated)));
  const content: RFolder = {
    rows: shard.rows,
    archived: archive.packages,
    text: { digest: text.digest, size: text.bytes.length },
    packed: packed.digest,
    pieces: pieces.map(({ deflated, size, crc }) => [deflated.length, size, crc]),
  };
  const files = [
    ...listed.filter((it) => folderOf(it) === folder).map((it) => publicFile(`${folder}/${it.file_name}`, it)),
    ...archived.flat().map((it) => publicFile(`${folder}/Archive/${archivePath(it)}`, it)),
  ];
  return { content, blocks: [text, packed], files };
}

/** The versions of each name, oldest first. */
function versionsByName(packages: readonly PublicPackage[]): PublicPackage[][] {
  return [...Map.groupBy(packages, ({ name }) => name).values()];
}

const newestOf = (packages: readonly PublicPackage[]): PublicPackage[] =>
  versionsByName(packages).flatMap((all) => all.slice(-1));

const byName = (a: PublicPackage, b: PublicPackage): number => (a.name < b.name ? -1 : a.name > b.name ? 1 : 0);

type Recorded = Pick<PublicPackage, "name" | "version" | "license" | "named_digest" | "metadata">;

/** The columns of packages that the upload filled from `RMetadata`. */
const metadataOf = (it: Recorded) => it.metadata as unknown as RMetadata;

/** A package as the index records it. */
export const indexed = (it: Recorded) => ({
  name: it.name,
  version: it.version,
  license: it.license,
  md5: it.named_digest,
  metadata: metadataOf(it),
});

const archivePath = (it: PublicPackage): string => `${it.name}/${it.file_name}`;
const archivedFile = (it: PublicPackage) => ({ path: archivePath(it), size: it.size, modified: it.uploaded_on });
const publicFile = (path: string, { normalized_name: name, digest, size }: PublicPackage): PublicFile => ({
  name,
  path,
  digest,
  size,
  metadataDigest: null,
});

/** The files of an index by their addresses below its folder; each is assembled when first requested. */
const indexFiles: Record<string, (folders: readonly RFolder[], fields: readonly string[]) => IndexFile> = {
  PACKAGES: (folders) => indexFile(folders.map(({ text }) => ({ digest: text.digest, offset: 0, length: text.size }))),
  "PACKAGES.gz": (folders) => gzipFile([{ slices: folders.map((folder) => slicesOf(folder).records) }]),
  "PACKAGES.rds": packagesMatrix,
};
const archiveFile = "Meta/archive.rds";

interface IndexPlace {
  folder: string;
  /** The requested file of the index. */
  name: string;
}

/** The index file at a path below the repository, if it is one. */
export function indexPlace(path: string): IndexPlace | undefined {
  const [, folder, name] = /^(.+)\/(PACKAGES(?:\.gz|\.rds)?|Meta\/archive\.rds)$/.exec(path) ?? [];
  return folder && name ? { folder, name } : undefined;
}

/** Folders that have an index. */
export const rFolders = (parts: readonly RPart[]): string[] => [
  ...new Set([sources, ...parts.flatMap(({ folders }) => Object.keys(folders)).sort()]),
];

/** The names of an index's files, below its folder. */
export const indexNames: readonly string[] = [...Object.keys(indexFiles), archiveFile];

/** The file of an index; a folder of binaries has one while it has binaries. */
export function rIndexFile(parts: readonly RPart[], { folder, name }: IndexPlace): IndexFile | undefined {
  const own = parts.flatMap(({ folders }) => (Object.hasOwn(folders, folder) ? (folders[folder] ?? []) : []));
  if (own.length === 0 && folder !== sources) return undefined;
  if (name === archiveFile) return archiveList(own.filter(({ archived }) => archived > 0));
  const listed = parts.flatMap(
    ({ folders, redirectToSource }) =>
      folders[folder] ?? ((redirectToSource && takesSources(folder) && folders[sources]) || []),
  );
  return indexFiles[name]?.(listed, fieldsOf(folder));
}

function slicesOf(folder: RFolder) {
  let offset = 0;
  const slices = folder.pieces.map(([length, size, crc]): PackedSlice => {
    const slice = { digest: folder.packed, offset, length, size, crc };
    offset += length;
    return slice;
  });
  const [records, names, ...rest] = slices;
  const columns = rest.slice(0, -2);
  const [frames, frameNames] = rest.slice(-2);
  if (!records || !names || !frames || !frameNames) throw new Error("a part of an R index lacks pieces");
  return { records, names, columns, frames, frameNames };
}

/** The content between two literals of a file: the same piece of every part, in part order. */
interface Run {
  slices: readonly (PackedSlice | Uint8Array)[];
}

// The writers of R's format pass their pieces through. So they get empty placeholders, each for a run of compressed
// slices; what they write around them is a few bytes.
function packagesMatrix(folders: readonly RFolder[], fields: readonly string[]): IndexFile {
  const slices = folders.map((folder) => ({ ...slicesOf(folder), rows: folder.rows }));
  const names = standIn(slices.map(({ names }) => names));
  // Sources listed in place of binaries lack a column.
  const columns = fields.map((_name, index) =>
    standIn(slices.map(({ columns, rows }) => columns[index] ?? emptyColumn(rows))),
  );
  const rows = folders.reduce((sum, folder) => sum + folder.rows, 0);
  const pieces = packagesRds([{ rows, names: names.empty, columns: columns.map(({ empty }) => empty) }], fields);
  return gzipFile(withRuns(pieces, [names, ...columns]));
}

/** Absent when nothing is archived. */
function archiveList(folders: readonly RFolder[]): IndexFile | undefined {
  if (folders.length === 0) return undefined;
  const slices = folders.map(slicesOf);
  const frames = standIn(slices.map(({ frames }) => frames));
  const names = standIn(slices.map(({ frameNames }) => frameNames));
  const packages = folders.reduce((sum, folder) => sum + folder.archived, 0);
  return gzipFile(withRuns(archiveRds([{ packages, frames: frames.empty, names: names.empty }]), [frames, names]));
}

interface StandIn extends Run {
  empty: Uint8Array;
}

const standIn = (slices: Run["slices"]): StandIn => ({ empty: new Uint8Array(), slices });

const withRuns = (pieces: readonly Uint8Array[], standIns: readonly StandIn[]): (Uint8Array | Run)[] =>
  pieces.map((piece) => standIns.find(({ empty }) => empty === piece) ?? piece);

function gzipFile(content: readonly (Uint8Array | Run)[]): IndexFile {
  const body: (Slice | Uint8Array)[] = [gzipHeader];
  const pieces: GzipPiece[] = [];
  for (const part of content.flatMap((one) => (one instanceof Uint8Array ? [one] : one.slices))) {
    if (part instanceof Uint8Array) {
      for (const stored of storedPieces(part)) {
        body.push(stored.deflated);
        pieces.push(stored);
      }
    } else {
      body.push(part);
      pieces.push(part);
    }
  }
  return indexFile([...body, gzipTrailer(pieces)]);
}
