import { type ByteSource, chunksOf } from "../byte-source.ts";
import type { ReadLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";

/** Below this much, a ratio says nothing: a small file of one letter packs a thousandfold. */
const ratioMattersFrom = 64 * 1024 * 1024;

/**
 * Unpacks gzip (RFC 1952) as it is read, within the limits. Checksums are verified; bytes after the stream are ignored,
 * as R ignores them.
 */
export async function* gunzip(source: ByteSource, limits: ReadLimits): AsyncGenerator<Uint8Array> {
  const magic = await source.read(0, 2);
  if (magic[0] !== 0x1f || magic[1] !== 0x8b)
    throw new UnacceptablePackage(["could.not.extract.file"], "unreadable", "not gzip");

  let read = 0;
  let unpacked = 0;
  const chunks = chunksOf(source);
  const input = new ReadableStream<Uint8Array<ArrayBuffer>>({
    async pull(controller) {
      const { done, value } = await chunks.next();
      if (done) return controller.close();
      read += value.byteLength;
      controller.enqueue(value);
    },
  });
  const reader = input.pipeThrough(new DecompressionStream("gzip")).getReader();
  try {
    for (;;) {
      const part = await nextPart(reader);
      if (!part) return;
      unpacked += part.byteLength;
      const tooDense = unpacked > ratioMattersFrom && unpacked > limits.maxRatio * read;
      if (unpacked > limits.maxUnpackedBytes || tooDense) throw new UnacceptablePackage(["archive.too.large"]);
      yield part;
    }
  } finally {
    await reader.cancel().catch(() => {}); // a stream that failed has nothing left to cancel
  }
}

async function nextPart(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<Uint8Array | undefined> {
  try {
    return (await reader.read()).value;
  } catch (error) {
    if (isJunkAfterTheEnd(error)) return undefined;
    throw new UnacceptablePackage(
      ["could.not.extract.file"],
      "unreadable",
      error instanceof Error ? error.message : undefined,
    );
  }
}

/** Node and Chromium say it in words of their own. */
function isJunkAfterTheEnd(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? error.code : undefined;
  return code === "ERR_TRAILING_JUNK_AFTER_STREAM_END" || /junk found after end|trailing junk/i.test(error.message);
}
