import { concatenate } from "../archive/concatenate.ts";

/**
 * Writes R's serialization format, version 2, XDR ("R Internals", 1.8), as far as package indexes need it.
 * Takes and returns pieces to be concatenated, so that large columns are never copied.
 */

/** An element of a character vector; null is NA. */
export type Cell = string | null;

const flags = {
  pairlist: 0x402,
  endOfPairlist: 0xfe,
  symbol: 1,
  list: 19,
  strings: 16,
  doubles: 14,
  integers: 13,
  logicals: 10,
  isObject: 0x100,
  hasAttributes: 0x200,
  missingString: 9,
  asciiString: 0x40009,
  utf8String: 0x8009,
} as const;

const utf8 = new TextEncoder();

/** Beginning of a file: `X`, newline, format 2, written by R 4.2.2, readable from R 2.3.0. */
const header = concatenate([Uint8Array.of(0x58, 0x0a), integers([2, 0x00040202, 0x00020300])]);

function integers(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 4));
  for (const [index, value] of values.entries()) bytes.setInt32(index * 4, value);
  return new Uint8Array(bytes.buffer);
}

function doubles(values: readonly number[]): Uint8Array {
  const bytes = new DataView(new ArrayBuffer(values.length * 8));
  for (const [index, value] of values.entries()) bytes.setFloat64(index * 8, value);
  return new Uint8Array(bytes.buffer);
}

const headerBytes = 8;
/** Of a UTF-16 code unit, in UTF-8. */
const mostBytesOfUnit = 3;

/** Elements of a character vector, without its header. */
export function characters(cells: readonly Cell[]): Uint8Array {
  const room = cells.reduce((sum, cell) => sum + headerBytes + mostBytesOfUnit * (cell?.length ?? 0), 0);
  const bytes = new Uint8Array(room);
  const headers = new DataView(bytes.buffer);
  let end = 0;
  for (const cell of cells) {
    const start = end;
    end += headerBytes;
    if (cell === null) {
      headers.setInt32(start, flags.missingString);
      headers.setInt32(start + 4, -1);
      continue;
    }
    const { written } = utf8.encodeInto(cell, bytes.subarray(end));
    headers.setInt32(start, written === cell.length ? flags.asciiString : flags.utf8String);
    headers.setInt32(start + 4, written);
    end += written;
  }
  return bytes.slice(0, end);
}

const strings = (cells: readonly Cell[]): Uint8Array[] => [integers([flags.strings, cells.length]), characters(cells)];

const attribute = (name: string, value: readonly Uint8Array[]): Uint8Array[] => [
  integers([flags.pairlist, flags.symbol]),
  characters([name]),
  ...value,
];
const endOfAttributes = integers([flags.endOfPairlist]);

/** What a shard of PACKAGES contributes to PACKAGES.rds. */
interface MatrixShard {
  rows: number;
  names: Uint8Array;
  columns: readonly Uint8Array[];
}

/** `PACKAGES.rds`: a character matrix, column by column, with the names of rows and columns. */
export function packagesRds(shards: readonly MatrixShard[], columnNames: readonly string[]): Uint8Array[] {
  const rows = shards.reduce((sum, shard) => sum + shard.rows, 0);
  const cells = columnNames.flatMap((_name, column) =>
    shards.map((shard) => shard.columns[column] ?? new Uint8Array()),
  );
  return [
    header,
    integers([flags.strings | flags.hasAttributes, rows * columnNames.length]),
    ...cells,
    ...attribute("dim", [integers([flags.integers, 2, rows, columnNames.length])]),
    ...attribute("dimnames", [
      integers([flags.list, 2]),
      integers([flags.strings, rows]),
      ...shards.map((shard) => shard.names),
      ...strings(columnNames),
    ]),
    endOfAttributes,
  ];
}

/** An archived file of a package. */
export interface ArchivedFile {
  /** Below `Archive/`: `pkg/pkg_1.0.tar.gz`. */
  path: string;
  size: number;
  modified: Date;
}

/** A contiguous range of packages in `Meta/archive.rds`. */
export interface ArchiveShard {
  packages: number;
  /** The data frames, one after the other. */
  frames: Uint8Array;
  names: Uint8Array;
}

/** Each package's `files` are sorted from oldest to newest: `remotes` reads them from the end. */
export function archiveShard(packages: readonly { name: string; files: readonly ArchivedFile[] }[]): ArchiveShard {
  return {
    packages: packages.length,
    frames: concatenate(packages.flatMap(({ files }) => fileInfoFrame(files))),
    names: characters(packages.map(({ name }) => name)),
  };
}

/** `Meta/archive.rds`: a list of data frames by package name. */
export function archiveRds(shards: readonly ArchiveShard[]): Uint8Array[] {
  const count = shards.reduce((sum, shard) => sum + shard.packages, 0);
  return [
    header,
    integers([flags.list | flags.hasAttributes, count]),
    ...shards.map((shard) => shard.frames),
    ...attribute("names", [integers([flags.strings, count]), ...shards.map((shard) => shard.names)]),
    endOfAttributes,
  ];
}

const columnsOfFileInfo = ["size", "isdir", "mode", "mtime", "ctime", "atime", "uid", "gid", "uname", "grname"];
const readableByAll = 0o644;

const classAttribute = (...classes: string[]): Uint8Array =>
  concatenate([...attribute("class", strings(classes)), endOfAttributes]);
const octmode = classAttribute("octmode");
const posixTime = classAttribute("POSIXct", "POSIXt");
const namesAndClass = concatenate([
  ...attribute("names", strings(columnsOfFileInfo)),
  ...attribute("class", strings(["data.frame"])),
]);

/** A data frame as R's `file.info()` returns it. */
function fileInfoFrame(files: readonly ArchivedFile[]): Uint8Array[] {
  const column = (type: number, content: Uint8Array) => [integers([type, files.length]), content];
  const same = (value: number) => integers(files.map(() => value));
  const classed = flags.isObject | flags.hasAttributes;
  const times = [
    ...column(flags.doubles | classed, doubles(files.map((file) => file.modified.getTime() / 1000))),
    posixTime,
  ];
  const ids = column(flags.integers, same(0));
  const accounts = strings(files.map(() => "root"));
  return [
    integers([flags.list | classed, columnsOfFileInfo.length]),
    ...column(flags.doubles, doubles(files.map((file) => file.size))),
    ...column(flags.logicals, same(0)),
    ...column(flags.integers | classed, same(readableByAll)),
    octmode,
    // Modified, created and read; user and group, each as ids and as names.
    ...[times, times, times, ids, ids, accounts, accounts].flat(),
    namesAndClass,
    ...attribute("row.names", strings(files.map((file) => file.path))),
    endOfAttributes,
  ];
}
