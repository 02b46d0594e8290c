import type { RMetadata } from "@packhouse/formats/package-file";
import { indexFields, packagesShard } from "@packhouse/formats/r/packages-index";
import { archiveRds, archiveShard, packagesRds } from "@packhouse/formats/r/rds";
import { deflatePiece, type GzipPiece, gzipHeader, gzipTrailer, storedPiece } from "./gzip-pieces.ts";
import {
  blockOf,
  type IndexFile,
  type IndexLayout,
  indexFile,
  type PublicFile,
  type PublicPackage,
  type Slice,
} from "./index-layout.ts";

/** A compressed stretch of a part's block, with what the gzip file around it must know. */
interface PackedSlice extends Slice, GzipPiece {}

/** The packages of a range of names, as every form of the index takes them. */
export interface RPart {
  rows: number;
  /** Packages that have archived versions. */
  archived: number;
  /** The block with the records as plain text. */
  text: { digest: string; size: number };
  /** The block with everything compressed. */
  packed: string;
  /** Compressed length, length and CRC of each stretch: records, row names, one for each field, data frames, their names. */
  pieces: [length: number, size: number, crc: number][];
}

const folder = "src/contrib";

/**
 * CRAN's layout: the newest version of each package beside the index, older ones below `Archive/`.
 * Ranges are those of names that begin with the same two characters: some hundreds in a repository of CRAN's size.
 */
export const rLayout: IndexLayout = {
  prefixLength: 2,
  async renderPart(_repository, packages) {
    const versions = versionsByName(packages.filter(({ kind }) => kind === "source"));
    const newest = versions.flatMap((all) => all.slice(-1));
    const archived = versions.flatMap((all) => (all.length > 1 ? [all.slice(0, -1)] : []));

    const shard = packagesShard(newest.map(indexed));
    const archive = archiveShard(archived.map((all) => ({ name: all[0]?.name ?? "", files: all.map(archivedFile) })));
    const pieces = await Promise.all(
      [shard.text, shard.names, ...shard.columns, archive.frames, archive.names].map(deflatePiece),
    );
    const text = blockOf(shard.text);
    const packed = blockOf(Buffer.concat(pieces.map(({ deflated }) => deflated)));
    const content: RPart = {
      rows: shard.rows,
      archived: archive.packages,
      text: { digest: text.digest, size: text.bytes.length },
      packed: packed.digest,
      pieces: pieces.map(({ deflated, size, crc }) => [deflated.length, size, crc]),
    };
    const files = [
      ...newest.map((it) => publicFile(`${folder}/${it.file_name}`, it)),
      ...archived.flat().map((it) => publicFile(`${folder}/Archive/${archivePath(it)}`, it)),
    ];
    return { content, blocks: [text, packed], files };
  },
  renderRoot: async () => ({ content: {}, blocks: [], files: [] }),
};

/** The versions of each name, oldest first. */
function versionsByName(packages: readonly PublicPackage[]): PublicPackage[][] {
  return [...Map.groupBy(packages, ({ name }) => name).values()];
}

/** The columns of packages that the upload filled from `RMetadata`. */
const metadataOf = (it: PublicPackage) => it.metadata as unknown as RMetadata;

const indexed = (it: PublicPackage) => ({
  name: it.name,
  version: it.version,
  license: it.license,
  md5: it.digests.md5,
  metadata: metadataOf(it),
});

const archivePath = (it: PublicPackage): string => `${it.name}/${it.file_name}`;
const archivedFile = (it: PublicPackage) => ({ path: archivePath(it), size: it.size, modified: it.uploaded_on });
const publicFile = (path: string, { digest, size }: PublicPackage): PublicFile => ({
  path,
  digest,
  size,
  metadataDigest: null,
});

/** The files of the index by their addresses below the repository; each is put together when it is first asked for. */
export const rIndexFiles: Record<string, (parts: readonly RPart[]) => IndexFile | undefined> = {
  [`${folder}/PACKAGES`]: (parts) =>
    indexFile(parts.map(({ text }) => ({ digest: text.digest, offset: 0, length: text.size }))),
  [`${folder}/PACKAGES.gz`]: (parts) => gzipFile([{ slices: parts.map((part) => slicesOf(part).records) }]),
  [`${folder}/PACKAGES.rds`]: (parts) => packagesMatrix(parts),
  [`${folder}/Meta/archive.rds`]: (parts) => archiveList(parts.filter(({ archived }) => archived > 0)),
};

function slicesOf(part: RPart) {
  let offset = 0;
  const slices = part.pieces.map(([length, size, crc]): PackedSlice => {
    const slice = { digest: part.packed, offset, length, size, crc };
    offset += length;
    return slice;
  });
  const [records, names, ...rest] = slices;
  const columns = rest.slice(0, indexFields.length);
  const [frames, frameNames] = rest.slice(indexFields.length);
  if (!records || !names || !frames || !frameNames) throw new Error("a part of an R index lacks pieces");
  return { records, names, columns, frames, frameNames };
}

/** What stands between two literals of a file: the same stretch of every part, in the order of the parts. */
interface Run {
  slices: readonly PackedSlice[];
}

// The writers of R's format pass on the pieces that they are given. So they are given empty stand-ins, each for a run of
// compressed slices; what they write around them is a few bytes.
function packagesMatrix(parts: readonly RPart[]): IndexFile {
  const slices = parts.map(slicesOf);
  const names = standIn(slices.map(({ names }) => names));
  const columns = indexFields.map((_name, index) => standIn(slices.flatMap(({ columns }) => columns[index] ?? [])));
  const rows = parts.reduce((sum, part) => sum + part.rows, 0);
  const pieces = packagesRds([{ rows, names: names.empty, columns: columns.map(({ empty }) => empty) }], indexFields);
  return gzipFile(withRuns(pieces, [names, ...columns]));
}

/** There is none when nothing is archived. */
function archiveList(parts: readonly RPart[]): IndexFile | undefined {
  if (parts.length === 0) return undefined;
  const slices = parts.map(slicesOf);
  const frames = standIn(slices.map(({ frames }) => frames));
  const names = standIn(slices.map(({ frameNames }) => frameNames));
  const packages = parts.reduce((sum, part) => sum + part.archived, 0);
  return gzipFile(withRuns(archiveRds([{ packages, frames: frames.empty, names: names.empty }]), [frames, names]));
}

interface StandIn extends Run {
  empty: Uint8Array;
}

const standIn = (slices: readonly PackedSlice[]): StandIn => ({ empty: new Uint8Array(), slices });

const withRuns = (pieces: readonly Uint8Array[], standIns: readonly StandIn[]): (Uint8Array | Run)[] =>
  pieces.map((piece) => standIns.find(({ empty }) => empty === piece) ?? piece);

function gzipFile(content: readonly (Uint8Array | Run)[]): IndexFile {
  const body: (Slice | Uint8Array)[] = [gzipHeader];
  const pieces: GzipPiece[] = [];
  for (const part of content) {
    if (part instanceof Uint8Array) {
      const stored = storedPiece(part);
      body.push(stored.deflated);
      pieces.push(stored);
    } else {
      for (const slice of part.slices) {
        body.push(slice);
        pieces.push(slice);
      }
    }
  }
  return indexFile([...body, gzipTrailer(pieces)]);
}
