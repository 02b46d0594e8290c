import { randomBytes } from "node:crypto";
import { constants, crc32, deflateRawSync, gunzipSync } from "node:zlib";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  combineCrc,
  deflatePiece,
  gzipHeader,
  gzipTrailer,
  longestCompressedHere,
  storedPieces,
} from "./gzip-pieces.ts";

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 300 }),
  fc.string({ maxLength: 2000 }).map((text) => Buffer.from(text)),
);

async function assembled(parts: readonly Uint8Array[]): Promise<Buffer> {
  const made = await Promise.all(
    parts.map(async (part, index) => (index % 2 === 0 ? [await deflatePiece(part)] : storedPieces(part))),
  );
  const pieces = made.flat();
  return Buffer.concat([gzipHeader, ...pieces.map(({ deflated }) => deflated), gzipTrailer(pieces)]);
}

describe("a gzip file concatenated from pieces", () => {
  test("unpacks to the pieces in their order, as one member", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { maxLength: 8 }), async (parts) => {
        const file = await assembled(parts);
        expect(gunzipSync(file).equals(Buffer.concat(parts))).toBe(true);
        expect(file.indexOf(Buffer.from(gzipHeader), 1)).toBe(-1);
      }),
      propertyRuns(100),
    );
  });

  test("handles more than one stored block", async () => {
    const parts = [Buffer.alloc(10, "a"), Buffer.alloc(200_000, "b")];
    expect(gunzipSync(await assembled(parts)).equals(Buffer.concat(parts))).toBe(true);
  });

  test("is the same for the same content", async () => {
    const parts = [Buffer.from("Package: tidepool\n"), Buffer.from("Version: 1.0\n")];
    expect(await assembled(parts)).toEqual(await assembled(parts));
  });

  test("has the bytes that zlib makes by itself, so that indexes of earlier versions stay as they are", async () => {
    const sizes = [0, 1, 24, 63, 64, 65, 500, longestCompressedHere];
    const texts = sizes.flatMap((size) => [Buffer.alloc(size, "NA"), randomBytes(size)]);
    for (const text of [...texts, ...texts]) {
      const { deflated } = await deflatePiece(text);
      expect(deflated.equals(deflateRawSync(text, { finishFlush: constants.Z_SYNC_FLUSH }))).toBe(true);
    }
  });

  test("of nothing is an empty file", async () => {
    expect(gunzipSync(await assembled([]))).toHaveLength(0);
  });
});

test("the CRC of two texts in a row follows from the CRCs of both", () => {
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      expect(combineCrc(crc32(first), crc32(second), second.length)).toBe(crc32(Buffer.concat([first, second])));
    }),
    propertyRuns(100),
  );
  const long = Buffer.alloc(5_000_000, "packhouse ");
  expect(combineCrc(crc32(long), crc32(long), long.length)).toBe(crc32(Buffer.concat([long, long])));
});
