import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { isRData } from "./file-kind.ts";
import { unpack } from "./unpack.ts";

/** What `saveRDS` writes first, then 20,000 zeros. */
const data = Buffer.concat([Buffer.from("580a0000000300040202", "hex"), Buffer.alloc(20_000)]);
/** The same as bzip2 1.0.8 and xz 5.4 pack it, and `text ` ten times. */
const packed = {
  bzip2: "QlpoOTFBWSZTWQ7rSaAAAKLDANwQAEAAEAAIIAAxDAgKVNJieVGc2CfaqjfMd9lUfi7kinChIB3Wk0A=",
  xz: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4E4pAENdACwCfBn5r/QdO3ckY3OL/tNw30OSxxF9PAaEREARMQH5+/9QEOOzHCbl+aN2/dO8Uoelc3tHfgQwUy7Xi8Ei+QwLawAAAKsyH6cYQvyqAAFfqpwBAADj3U7yscRn+wIAAAAABFla",
  bzip2OfText: "QlpoOTFBWSZTWVSNyhEAABORgEAAAgAEQCAAIKkyDNNKRkVGR4u5IpwoSCpG5QiA",
  xzOfText: "/Td6WFoAAATm1rRGAgAhARYAAAB0L+Wj4AAxAAtdADoZS3gQO4338EAAAADqUuZfisCdyAABJzLOVpQyH7bzfQEAAAAABFla",
};
const bytesOf = (base64: string) => new Uint8Array(Buffer.from(base64, "base64"));
const upTo = (mostBytes: number) => ({ mostBytes, isOver: () => false });
const aMebibyte = upTo(1024 * 1024);

test.for<[string, Uint8Array]>([
  ["gzip", gzipSync(data)],
  ["bzip2", bytesOf(packed.bzip2)],
  ["xz", bytesOf(packed.xz)],
])("R data is unpacked from %s, and no more than asked for", async ([, bytes]) => {
  const unpacked = await unpack(bytes, isRData, aMebibyte);
  expect(Buffer.from(unpacked).equals(data)).toBe(true);
  expect(await unpack(bytes, isRData, upTo(10_000))).toBe("large");
  expect(await unpack(bytes.subarray(0, 40), isRData, aMebibyte)).toBe("other");
});

test.for<[string, Uint8Array]>([
  ["gzip", gzipSync("text ".repeat(10))],
  ["bzip2", bytesOf(packed.bzip2OfText)],
  ["xz", bytesOf(packed.xzOfText)],
  ["nothing", Buffer.from("text")],
])("other data in %s is left alone", async ([, bytes]) => {
  expect(await unpack(bytes, isRData, aMebibyte)).toBe("other");
});

test.for<[string, Uint8Array]>([
  ["bzip2", bytesOf(packed.bzip2)],
  ["xz", bytesOf(packed.xz)],
])("unpacking %s ends when the time is over, with that as the reason", async ([, bytes]) => {
  expect(await unpack(bytes, isRData, { ...aMebibyte, isOver: () => true })).toBe("late");
});
