import { readTarGz as readByAnother } from "@packhouse/fixtures/archive-reading";
import { gzip, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { bytesOf } from "../byte-source.ts";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { readTarGz } from "./package-archive.ts";

const blockSize = 512;
const entries: TarEntry[] = [
  { name: "tides/", type: "directory" },
  { name: "tides/DESCRIPTION", bytes: Buffer.from("Package: tides\nVersion: 1.0\n") },
  {
    name: `tides/${"long/".repeat(30)}name`,
    bytes: Buffer.from("x".repeat(700)),
    pax: { path: `tides/${"long/".repeat(30)}name` },
  },
  { name: "tides/link", type: "symlink", linkname: "DESCRIPTION" },
];

const change = fc.record({
  at: fc.nat({ max: 20 * blockSize }),
  by: fc.oneof(fc.integer({ min: 1, max: 255 }), fc.constantFrom(0x30 ^ 0x37, 0x30 ^ 0x32, 0x30 ^ 0x78)),
  /** Otherwise most changes would only invalidate the checksum of a header. */
  fixesChecksum: fc.boolean(),
});

/** Writes the correct checksum into a block, as if it were a header. */
function fixChecksum(block: Uint8Array): void {
  block.fill(0x20, 148, 156);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.set(Buffer.from(`${sum.toString(8).padStart(6, "0")}\0 `), 148);
}

describe("an archive with modified bytes", () => {
  test("is refused, or contains what another reader finds in it", async () => {
    const good = await tar(entries, new Date(0));
    const outcomes = { refused: 0, agreed: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const { at, by, fixesChecksum } of changes) {
          const place = at % bytes.length;
          bytes.writeUInt8(bytes.readUInt8(place) ^ by, place);
          const block = place - (place % blockSize);
          if (fixesChecksum) fixChecksum(bytes.subarray(block, block + blockSize));
        }
        const packed = gzip(bytes);
        const ours = await readTarGz(bytesOf(packed), (path) => path === "DESCRIPTION", defaultLimits).catch(
          (error) => {
            expect(error).toBeInstanceOf(UnacceptablePackage);
            outcomes.refused += 1;
            return undefined;
          },
        );
        if (!ours) return;
        const theirs = await readByAnother(packed).catch(() => undefined);
        if (!theirs) return;
        outcomes.agreed += 1;
        const found = theirs.filter(
          ({ name, type }) =>
            ["file", "contiguous-file"].includes(String(type)) &&
            name.replace(/^\.\//, "") === `${ours.root}/DESCRIPTION`,
        );
        const text = ours.files.get("DESCRIPTION");
        expect(text && new TextDecoder().decode(text)).toBe(found[0]?.text);
      }),
      propertyRuns(500),
    );
    expect(outcomes.refused).toBeGreaterThan(50);
    expect(outcomes.agreed).toBeGreaterThan(50);
  });
});
