import { nativeCrc32 } from "./native-inflate.ts";

const table = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ 0xedb8_8320 : value >>> 1;
  return value;
});

/** The checksum of zips (ISO 3309). */
export class Crc32 {
  #state = 0xffff_ffff;

  add(bytes: Uint8Array): void {
    if (nativeCrc32) {
      this.#state = (nativeCrc32(bytes, this.value) ^ 0xffff_ffff) >>> 0;
      return;
    }
    let state = this.#state;
    // An iterator takes several times as long.
    for (let at = 0; at < bytes.byteLength; at += 1)
      state = (table[(state ^ (bytes[at] ?? 0)) & 0xff] ?? 0) ^ (state >>> 8);
    this.#state = state;
  }

  get value(): number {
    return (this.#state ^ 0xffff_ffff) >>> 0;
  }
}
