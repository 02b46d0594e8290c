import type { FileKind } from "@packhouse/contract/review/inspection";
import { headSize, isWellKnown, kindOfBytes } from "../reading/file-kind.ts";
import { entropyOf, entropyOfRandom } from "./entropy.ts";
import type { FileRule } from "./file-rule.ts";
import { extensionOf, isOfTests, isProgram, nameOf } from "./places.ts";

/** A file that is nothing known and looks random, as encrypted code does. */
export const highEntropyRule: FileRule = {
  id: "high-entropy",
  *examine({ path, kind, size, head, bytes }) {
    if (kind !== "other" || size < 1024 || isWellKnown(head)) return;
    const looked = bytes ?? head;
    if (entropyOf(looked) > entropyOfRandom(looked.byteLength)) yield { file: path, subject: nameOf(path) };
  },
};

const longestLine = 5_000;
/** Further to the right than any screen shows. */
const mostBlanks = 200;

/** Lines that no one reads to their end, and code that blanks push out of sight. */
export const longLineRule: FileRule = {
  id: "long-line",
  *examine({ path, text }) {
    if (!text || !isProgram(path)) return;
    for (const { start, line } of text.lines()) {
      if (line.length > longestLine) yield { file: path, ...text.found(start) };
      else if (line.length > mostBlanks && hasGap(line)) yield { file: path, ...text.found(start), subject: "blanks" };
    }
  },
};

/** Whether many blanks are followed by something, after the beginning of the line. */
function hasGap(line: string): boolean {
  let blanks = 0;
  let begun = false;
  for (const character of line) {
    if (character === " " || character === "\t") blanks += 1;
    else {
      if (begun && blanks > mostBlanks && character !== "\\" && character !== "\r") return true;
      begun = true;
      blanks = 0;
    }
  }
  return false;
}

const text: readonly FileKind[] = ["text", "empty"];
const executables: readonly FileKind[] = ["elf", "pe", "mach-o"];
/** What a file of this name is. */
const expected: ReadonlyMap<string, readonly FileKind[]> = new Map<string, readonly FileKind[]>([
  ..."r py pyi pyx rmd qmd rd rst md txt toml cfg ini json yml yaml html css js sh c cc cpp h hpp f90 svg tex csv tsv pth in"
    .split(" ")
    .map((extension) => [extension, text] as const),
  ..."png jpg jpeg gif webp bmp tif tiff".split(" ").map((extension) => [extension, ["image"] as const] as const),
  ..."zip gz tgz bz2 xz whl".split(" ").map((extension) => [extension, ["archive"] as const] as const),
  ..."rds rda rdata".split(" ").map((extension) => [extension, ["r-data", "archive"] as const] as const),
  ["pdf", ["pdf"]],
  ["pyc", ["python-bytecode"]],
  ["so", ["elf", "mach-o"]],
  ["dylib", ["mach-o"]],
  ["dll", ["pe"]],
  ["pyd", ["pe"]],
  ["exe", ["pe"]],
]);
const ofExecutables = new Set(["so", "dylib", "dll", "pyd", "exe", "o", "a", "bin", "node", ""]);

/** A picture that is a program, a text that is no text. */
export const contentDiffersRule: FileRule = {
  id: "content-differs-from-name",
  *examine({ path, kind, size, head, bytes, isDamaged }) {
    const extension = extensionOf(path);
    if (isDamaged) {
      const level = isOfTests(path) ? ({ level: "notice" } as const) : {};
      yield { file: path, subject: kind === "text" ? "other" : kind, ...level };
      return;
    }
    const behind = kind === "image" && bytes ? kindBehind(bytes) : undefined;
    if (behind !== undefined) yield { file: path, subject: behind };
    // `libcore.so.1`
    if (executables.includes(kind) && !ofExecutables.has(extension) && !/\.so\.[0-9]/.test(nameOf(path))) {
      yield { file: path, subject: kind };
      return;
    }
    const kinds = expected.get(extension);
    if (kinds && !kinds.includes(kind) && kind !== "empty" && size > 0 && !isCompressedText(extension, head))
      yield { file: path, subject: kind };
  },
};

/** What follows the end of a picture: an archive is read from its end, a program from where someone cuts it out. */
function kindBehind(bytes: Uint8Array): FileKind | undefined {
  const picture = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = picture.indexOf("IEND");
  const isPng = picture[0] === 0x89 && end !== -1;
  if (isPng && picture.byteLength > end + 12) {
    const kind = kindOfBytes(picture.subarray(end + 8, end + 8 + headSize));
    if (kind !== undefined && kind !== "empty" && kind !== "image") return kind;
  }
  // The directory of a zip is at its end.
  return picture.includes("PK\x05\x06", Math.max(picture.byteLength - 66_000, 0), "latin1") ? "archive" : undefined;
}

/** R reads tables that are compressed under their own name, and saved data that is compressed in any way. */
const isCompressedText = (extension: string, head: Uint8Array): boolean =>
  (extension === "csv" || extension === "txt" || extension === "svg") && head[0] === 0x1f && head[1] === 0x8b;

/** Compiled programs and libraries; those of an earlier release are not new. */
export const executableRule: FileRule = {
  id: "new-executable",
  *examine({ path, kind }) {
    if (executables.includes(kind)) yield { file: path, subject: libraryName(path) };
  },
};

/** Without what differs from release to release: the versions and systems in the name, and digests of its content. */
const libraryName = (path: string): string => {
  // A wheel's programs are in a folder that is named after its version.
  const folder = path.slice(0, path.length - nameOf(path).length).replace(/^[^/]+\.data\//, ".data/");
  const [stem = ""] = nameOf(path).split(".");
  return folder + stem.replace(/-[0-9a-f]{8}$/, "");
};
