import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import type { ByteStream } from "./byte-stream.ts";
import { safeSegments } from "./member-paths.ts";

/** One member of a tar archive under its final name. */
export interface TarMember {
  path: string;
  type: "file" | "directory" | "symlink" | "hardlink" | "other";
  /** The target of a link. */
  linkPath: string;
  size: number;
  /** Permission bits; null if the header has none. */
  mode: number | null;
  /** When it was last changed, in milliseconds since 1970; null if the header does not say. */
  modified: number | null;
  /** Its bytes, or only the first `longest` of them. Can be read once, while this is the current member. */
  content(longest?: number): Promise<Uint8Array>;
  /** Its bytes in pieces, for members that are too large to keep; to be read to the end. */
  pieces(): AsyncGenerator<Uint8Array>;
}

const blockSize = 512;
/** PATH_MAX of Linux: longer names cannot be unpacked. */
const longestPath = 4096;

const types: Readonly<Record<string, TarMember["type"]>> = {
  "\0": "file",
  "0": "file",
  "7": "file",
  "1": "hardlink",
  "2": "symlink",
  "5": "directory",
};

/** What extended headers state about the member that follows them. */
interface Override {
  path?: string;
  linkPath?: string;
  size?: number;
  modified?: number;
}

const renaming = ["path", "linkPath", "size"] as const;

/**
 * The members of a tar in order: ustar and PAX (POSIX.1-2024, pax), and long names of GNU tar.
 * The archive ends at its first empty block, as in R and GNU tar; anything after it is ignored. What R, Python and GNU tar
 * would read as different names or sizes is refused: code could have one name here and another where it is installed.
 */
export async function* tarMembers(input: ByteStream, limits: ReadLimits): AsyncGenerator<TarMember> {
  let global: Override = {};
  let next: Override = {};
  let forgotten = false;
  for (;;) {
    const header = await input.take(blockSize);
    if (header === undefined || header.every((byte) => byte === 0)) return;
    checkSum(header);
    const type = text(header, 156, 1) || "\0";
    const declared = number(header, 124, 12);

    if (type === "x" || type === "g" || type === "L" || type === "K") {
      if (declared > limits.maxMetadataBytes) throw new UnacceptablePackage(["archive.too.large"], "a header");
      const content = await extendedHeader(input, declared);
      if (type === "g") global = { ...global, ...globalOf(content) };
      else if (type === "x") next = joined(next, overrideOf(content));
      else next = joined(next, { [type === "L" ? "path" : "linkPath"]: text(content, 0, content.byteLength) });
      continue;
    }

    const attributes = { ...global, ...next };
    const path = bounded(attributes.path ?? nameOf(header));
    // Before there were types, a trailing slash denoted a directory.
    const kind = types[type] === "file" && path.endsWith("/") ? "directory" : (types[type] ?? "other");
    checkUse(next, kind);
    // R names folders by their own header, and gives the name that was meant for one to the next file.
    if (kind !== "directory" && forgotten && next.path === undefined) throw ambiguous();
    forgotten = kind === "directory" && (next.path !== undefined ? !next.path.endsWith("/") : forgotten);
    next = {};
    const size = attributes.size ?? declared;
    let unread = true;
    yield {
      path,
      type: kind,
      linkPath: bounded(attributes.linkPath ?? text(header, 157, 100)),
      size,
      mode: octal(header, 100, 8),
      modified: attributes.modified ?? milliseconds(octal(header, 136, 12)),
      content: async (longest = size) => {
        unread = false;
        if (longest >= size) return contentOf(input, size);
        const start = await input.take(longest);
        await input.skip(padded(size) - longest);
        return start ?? new Uint8Array();
      },
      async *pieces() {
        unread = false;
        for (let left = size; left > 0; left -= pieceSize) yield await contentOf(input, Math.min(left, pieceSize));
      },
    };
    if (unread) await input.skip(padded(size));
  }
}

/** A multiple of a block. */
const pieceSize = 256 * 1024;

const padded = (size: number): number => Math.ceil(size / blockSize) * blockSize;

async function contentOf(input: ByteStream, size: number): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array();
  const content = await input.take(padded(size));
  if (!content) throw malformed("a member is missing");
  return content.subarray(0, size);
}

/** The content of a header that describes the next member. R also reads what fills its last block. */
async function extendedHeader(input: ByteStream, size: number): Promise<Uint8Array> {
  if (size === 0) return new Uint8Array();
  const blocks = await input.take(padded(size));
  if (!blocks) throw malformed("a member is missing");
  if (blocks.subarray(size).some((byte) => byte !== 0)) throw ambiguous();
  return blocks.subarray(0, size);
}

/** Of two headers that state the same, Python follows the first one, R the last. */
function joined(one: Override, other: Override): Override {
  for (const name of renaming)
    if (one[name] !== undefined && other[name] !== undefined && one[name] !== other[name]) throw ambiguous();
  return { ...one, ...other };
}

/** R keeps a size until the next file, and a target until the next link. */
function checkUse({ size, linkPath }: Override, kind: TarMember["type"]): void {
  const isLink = kind === "symlink" || kind === "hardlink";
  if ((size !== undefined && kind !== "file") || (linkPath !== undefined && !isLink)) throw ambiguous();
}

/** A header for all members that follow: R skips it, Python renames all of them. */
function globalOf(content: Uint8Array): Override {
  const override = overrideOf(content);
  // A path that leads out is worth its own reason.
  if (override.path !== undefined) safeSegments(override.path);
  if (renaming.some((name) => override[name] !== undefined)) throw ambiguous();
  return override;
}

/**
 * The name in the header itself; ustar may keep its folders in a separate field. R takes that of GNU tar for the same,
 * and Python that of any header, so it may hold nothing there but the times that old versions of GNU tar wrote.
 */
function nameOf(header: Uint8Array): string {
  const [name, prefix] = [text(header, 0, 100), text(header, 345, 155)];
  if (text(header, 257, 6) === "ustar") return prefix === "" ? name : `${prefix}/${name}`;
  const isTimes = text(header, 257, 6) === "ustar " && /^[0-7 ]*$/.test(prefix);
  if (prefix !== "" && !isTimes) throw ambiguous();
  return name;
}

const utf8 = new TextDecoder("utf-8", { ignoreBOM: true });

/** A field that ends at its full length or at a NUL. */
function text(bytes: Uint8Array, offset: number, length: number): string {
  const field = bytes.subarray(offset, offset + length);
  const end = field.indexOf(0);
  return utf8.decode(end === -1 ? field : field.subarray(0, end));
}

/** Octal digits, or (GNU, for larger numbers) big-endian binary marked by the highest bit. */
function number(header: Uint8Array, offset: number, length: number): number {
  const field = header.subarray(offset, offset + length);
  if (field[0] === 0x80) return sized(field.subarray(1).reduce((value, byte) => value * 256 + byte, 0));
  const digits = text(header, offset, length).trim();
  if (!/^[0-7]*$/.test(digits)) throw malformed("a number is invalid");
  return sized(Number.parseInt(digits || "0", 8));
}

/** A field that says nothing about where the members are, and may therefore be wrong. */
function octal(header: Uint8Array, offset: number, length: number): number | null {
  const digits = text(header, offset, length).trim();
  return /^[0-7]{1,12}$/.test(digits) ? Number.parseInt(digits, 8) : null;
}

const milliseconds = (seconds: number | null): number | null => (seconds === null ? null : seconds * 1000);

function sized(value: number): number {
  if (!Number.isSafeInteger(value) || value < 0) throw malformed("a size is impossible");
  return value;
}

/** The sum of all bytes of the header, with its own field counted as blanks. */
function checkSum(header: Uint8Array): void {
  const sum = header.reduce((total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte), 0);
  if (sum !== number(header, 148, 8)) throw malformed("the checksum of a header is wrong");
}

/** PAX records: `{length} {key}={value}\n`, where the length counts the bytes of the whole record. */
function overrideOf(bytes: Uint8Array): Override {
  const records = new Map<string, string>();
  for (let start = 0; start < bytes.byteLength; ) {
    const blank = bytes.indexOf(0x20, start);
    const end = start + wholeNumber(utf8.decode(bytes.subarray(start, Math.max(blank, start))));
    const equals = bytes.indexOf(0x3d, blank);
    if (equals < 0 || equals >= end || bytes[end - 1] !== 0x0a) throw malformed("a PAX header");
    const [key, value] = [
      utf8.decode(bytes.subarray(blank + 1, equals)),
      utf8.decode(bytes.subarray(equals + 1, end - 1)),
    ];
    checkRecord(key, value, records.get(key));
    records.set(key, value);
    start = end;
  }
  const path = records.get("path");
  const linkPath = records.get("linkpath");
  const size = records.get("size");
  const modified = Number(records.get("mtime") ?? Number.NaN) * 1000;
  return {
    ...(path && { path }),
    ...(linkPath && { linkPath }),
    ...(size && { size: wholeNumber(size) }),
    ...(Number.isFinite(modified) && { modified }),
  };
}

const decisive = new Set(["path", "linkpath", "size"]);

/** R looks for these records in each line of the header, wherever they begin; only Python knows sparse files. */
function checkRecord(key: string, value: string, earlier: string | undefined): void {
  if (key === "GNU.sparse.name") safeSegments(value);
  const isDecisive = decisive.has(key);
  const mentions = [...decisive].some((name) => ` ${key}=${value}`.includes(` ${name}=`, isDecisive ? 1 : 0));
  if (mentions || key.includes("\n") || key.startsWith("GNU.sparse.")) throw ambiguous();
  if (isDecisive && (value === "" || value.includes("\n") || (earlier ?? value) !== value)) throw ambiguous();
}

function wholeNumber(digits: string): number {
  if (!/^[0-9]+$/.test(digits)) throw malformed("a number is invalid");
  return sized(Number(digits));
}

function bounded(path: string): string {
  if (path.length > longestPath) throw malformed("a name is too long");
  return path;
}

const ambiguous = () => malformed("programs read a header in different ways");

const malformed = (why: string) =>
  new UnacceptablePackage(["could.not.extract.file"], `the archive is malformed: ${why}`);
