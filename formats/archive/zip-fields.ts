import type { ByteSource } from "../byte-source.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

export const signatures = {
  local: 0x0403_4b50,
  central: 0x0201_4b50,
  end: 0x0605_4b50,
  end64: 0x0606_4b50,
  locator64: 0x0706_4b50,
  descriptor: 0x0807_4b50,
} as const;
export const sizes = { local: 30, central: 46, end: 22, end64: 56, locator64: 20, longestComment: 0xffff } as const;
export const extras = { zip64: 0x0001, unicodePath: 0x7075 } as const;
export const flagBits = {
  encrypted: 0x0001 | 0x0040 | 0x2000,
  described: 0x0008,
  patched: 0x0020,
  utf8: 0x0800,
} as const;

/** The value of a field that refers to the ZIP64 records. */
export const elsewhere16 = 0xffff;
export const elsewhere32 = 0xffff_ffff;

/** The bytes of a range that must be there. */
export async function readExactly(source: ByteSource, offset: number, length: number): Promise<Uint8Array> {
  const bytes = length === 0 ? new Uint8Array() : await source.read(offset, length);
  if (bytes.byteLength < length) throw damaged("it ends too early");
  return bytes;
}

export const view = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);

/** A number of eight bytes. */
export function longAt(data: DataView, at: number): number {
  const value = Number(data.getBigUint64(at, true));
  if (!Number.isSafeInteger(value)) throw ambiguous("a size is impossible");
  return value;
}

/** A name in a message. */
export const shown = (name: string): string => JSON.stringify(name.slice(0, 200));
export const ambiguous = (why: string) => new UnacceptablePackage(["unsafe.archive.entry"], why);
export const damaged = (why: string) => new UnacceptablePackage(["could.not.extract.file"], why);
export const tooLarge = (why: string) => new UnacceptablePackage(["archive.too.large"], why);
