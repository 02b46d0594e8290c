/** A file that can be read in parts, wherever it is: on disk, in a bucket, in the browser. */
export interface ByteSource {
  /** Size in bytes. */
  readonly size: number;
  /** At most `length` bytes from `offset`; fewer at the end. */
  read(offset: number, length: number): Promise<Uint8Array>;
}

/** A file in memory. */
export interface MemorySource extends ByteSource {
  readonly bytes: Uint8Array;
}

export const isMemorySource = (source: ByteSource): source is MemorySource =>
  "bytes" in source && source.bytes instanceof Uint8Array;

export const bytesOf = (bytes: Uint8Array): MemorySource => ({
  bytes,
  size: bytes.byteLength,
  read: async (offset, length) => bytes.subarray(offset, offset + length),
});

export const blobSource = (blob: Blob): ByteSource => ({
  size: blob.size,
  read: async (offset, length) => new Uint8Array(await blob.slice(offset, offset + length).arrayBuffer()),
});

const smallSize = 256 * 1024;

/** The same, but a small file is read once as a whole: to open it for each part takes longer than to read it. */
export function readOnceIfSmall(source: ByteSource): ByteSource {
  if (source.size > smallSize) return source;
  let whole: Promise<Uint8Array> | undefined;
  return {
    size: source.size,
    async read(offset, length) {
      whole ??= source.read(0, source.size);
      return (await whole).subarray(offset, offset + length);
    },
  };
}

const defaultChunk = 256 * 1024;

/** The file from front to back, or from an offset on. */
export async function* chunksOf(
  source: ByteSource,
  { offset: start = 0, chunkSize = defaultChunk }: { offset?: number; chunkSize?: number } = {},
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  for (let offset = start; offset < source.size; ) {
    const chunk = await source.read(offset, chunkSize);
    if (chunk.byteLength === 0) return;
    offset += chunk.byteLength;
    yield inOwnBuffer(chunk) ? chunk : new Uint8Array(chunk);
  }
}

/** Not shared with other threads, as some consumers require. */
const inOwnBuffer = (bytes: Uint8Array): bytes is Uint8Array<ArrayBuffer> => bytes.buffer instanceof ArrayBuffer;
