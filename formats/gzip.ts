import { concatenate } from "./archive/tar-gz.ts";

/**
 * Packs bytes as one gzip member (RFC 1952), the same bytes for the same input: no name, time 0, unknown system.
 * Members may be concatenated; readers take them for one file.
 */
export async function gzip(bytes: Uint8Array): Promise<Uint8Array<ArrayBuffer>> {
  const packed = new Blob([new Uint8Array(bytes)]).stream().pipeThrough(new CompressionStream("gzip"));
  const member = new Uint8Array(await new Response(packed).arrayBuffer());
  member.fill(0, 4, 8);
  member[9] = 255;
  return member;
}

export const joinMembers = concatenate;
