import { createHash, randomBytes } from "node:crypto";
import { readZip } from "@packhouse/fixtures/archive-reading";
import { type Member, member, textOf, zip } from "@packhouse/fixtures/archive-writing";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import { record } from "@packhouse/fixtures/python-project";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { type ByteSource, bytesOf } from "../byte-source.ts";
import { defaultLimits } from "../package-file.ts";
import { UnacceptablePackage } from "../unacceptable-package.ts";
import { checkFileName, readDistribution } from "./distribution.ts";

const metadata = "Metadata-Version: 2.1\nName: harbor-tools\nVersion: 1.0\nRequires-Python: >=3.9\n\nTools\n";
const wheelFile = "Wheel-Version: 1.0\nTag: py3-none-any\n";
const folder = "harbor_tools-1.0.dist-info";
const fileName = "harbor_tools-1.0-py3-none-any.whl";

/** Files with a RECORD that lists them. */
const recorded = (files: readonly Member[], inFolder = folder): Member[] => [
  ...files,
  member(`${inFolder}/RECORD`, record(files, `${inFolder}/RECORD`)),
];
const members = (changed: Record<string, string | undefined> = {}, modules: readonly Member[] = []): Member[] => {
  const texts = { METADATA: metadata, WHEEL: wheelFile, ...changed };
  const files = Object.entries(texts).flatMap(([name, text]) =>
    text === undefined ? [] : [member(`${folder}/${name}`, text)],
  );
  return "RECORD" in changed ? [...modules, ...files] : recorded([...modules, ...files]);
};
const read = async (files: readonly Member[], name = fileName, limits = defaultLimits) =>
  readDistribution(bytesOf(await zip(files)), name, { limits });

const refusal = (codes: string[], kind: "rules" | "unreadable" = "unreadable") =>
  expect.objectContaining({ codes, kind, constructor: UnacceptablePackage });

/** Replaces a text with one of the same length everywhere in a file; no checksum detects it. */
function overwritten(bytes: Uint8Array, from: string, to: string): Uint8Array {
  return Buffer.from(Buffer.from(bytes).toString("latin1").replaceAll(from, to), "latin1");
}

describe("a wheel", () => {
  test("is a separate file of its version, with its METADATA to be served next to it", async () => {
    const it = await read(members({}, [member("harbor_tools/__init__.py", "")]));
    expect(it).toMatchObject({
      name: "harbor-tools",
      version: "1.0",
      kind: "binary",
      target: fileName,
      fileName,
      description: "Tools",
      metadata: { coreMetadata: metadata, requiresPython: ">=3.9", compatibilityTags: "py3-none-any", builtTag: null },
    });
  });

  test("states in its name what it runs on", async () => {
    const it = await read(members(), "Harbor.Tools-1.0.0-2fix-cp39.cp310-abi3-manylinux_2_17_x86_64.whl");
    expect(it.metadata).toMatchObject({
      compatibilityTags: "cp39.cp310-abi3-manylinux_2_17_x86_64",
      builtTag: "2fix",
      pythonTag: "cp39.cp310",
      abiTag: "abi3",
      platformTag: "manylinux_2_17_x86_64",
    });
  });

  test("with a local version has underscores for its hyphens", async () => {
    const local = metadata.replace("1.0", "1.0+local.1-a");
    const localFolder = "harbor_tools-1.0+local.1_a.dist-info";
    const files = [member(`${localFolder}/METADATA`, local), member(`${localFolder}/WHEEL`, wheelFile)];
    expect((await read(recorded(files, localFolder), "harbor_tools-1.0+local.1_a-py3-none-any.whl")).version).toBe(
      "1.0+local.1-a",
    );
  });

  test("is read like another zip reader reads it", async () => {
    const body = fc.string({ unit: "grapheme", maxLength: 2000 }).map((text) => text.replaceAll("\0", ""));
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        const bytes = await zip(members({ METADATA: `${metadata}${text}` }));
        const it = await readDistribution(bytesOf(bytes), fileName);
        const theirs = (await readZip(bytes)).find(({ path }) => path === `${folder}/METADATA`);
        expect(it.metadata.coreMetadata).toBe(theirs && textOf(theirs));
      }),
      propertyRuns(30),
    );
  });

  test("with modified bytes is refused, or contains what another reader finds in it", async () => {
    const good = await zip(members({}, [member("tools.py", "answer = 42\n")]));
    const change = fc.tuple(fc.nat({ max: good.byteLength - 1 }), fc.integer({ min: 1, max: 255 }));
    let refused = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(change, { minLength: 1, maxLength: 3 }), async (changes) => {
        const bytes = Buffer.from(good);
        for (const [at, by] of changes) bytes.writeUInt8(bytes.readUInt8(at) ^ by, at);
        const ours = await readDistribution(bytesOf(bytes), fileName).catch((error: unknown) => {
          expect(error).toBeInstanceOf(UnacceptablePackage);
          refused += 1;
          return undefined;
        });
        if (!ours) return;
        // The other reader also unpacks files that are irrelevant for a wheel, and may fail there.
        const theirs = (await readZip(bytes).catch(() => [])).find(({ path }) => path === `${folder}/METADATA`);
        if (theirs) expect(ours.metadata.coreMetadata).toBe(textOf(theirs));
      }),
      propertyRuns(400),
    );
    expect(refused).toBeGreaterThan(200);
  });

  test("is only read up to its directory and metadata if its files need not be compared", async () => {
    const large = { path: "harbor_tools/data.bin", bytes: randomBytes(500_000) };
    const bytes = await zip(members({}, [large, { ...large, path: "harbor_tools/more.bin" }]));
    let read = 0;
    const source: ByteSource = {
      size: bytes.byteLength,
      read: async (offset, length) => {
        read += length;
        return bytes.subarray(offset, offset + length);
      },
    };
    await readDistribution(source, fileName, { contents: "listed" });
    expect(read).toBeLessThan(200_000);
    await readDistribution(source, fileName);
    expect(read).toBeGreaterThan(1_000_000);
  });

  test("serves no METADATA that text cannot represent byte for byte", async () => {
    const latin1 = { path: `${folder}/METADATA`, bytes: Buffer.from(`${metadata}José`, "latin1") };
    const it = await read(members({ METADATA: undefined }, [latin1]));
    expect(it.description).toContain("José");
    expect(it.metadata.coreMetadata).toBeNull();
  });

  test.each<[string, string[], Record<string, string | undefined>]>([
    ["METADATA", ["read.python.pkg.info.exception"], { METADATA: undefined }],
    ["WHEEL", ["invalid.metadata"], { WHEEL: undefined }],
    ["RECORD", ["invalid.metadata"], { RECORD: undefined }],
    ["a Wheel-Version", ["invalid.metadata"], { WHEEL: "Tag: py3-none-any\n" }],
    ["a known Wheel-Version", ["invalid.metadata"], { WHEEL: "Wheel-Version: 2.0\n" }],
    ["the project's name in METADATA", ["name.mismatch"], { METADATA: metadata.replace("tools", "toys") }],
    ["its version in METADATA", ["version.mismatch"], { METADATA: metadata.replace("1.0", "1.1") }],
    ["a known metadata version", ["unsupported.metadata.version"], { METADATA: metadata.replace("2.1", "3.0") }],
  ])("is refused without %s", async (_, codes, changed) => {
    await expect(read(members(changed))).rejects.toEqual(refusal(codes));
  });

  test("is refused with broken rules and every other error", async () => {
    const files = members({ METADATA: "Name: -\n\n", RECORD: undefined });
    await expect(read(files)).rejects.toEqual(
      refusal(["invalid.package.name", "empty.version", "name.mismatch", "invalid.metadata"], "rules"),
    );
  });

  test("is refused if its folder names another project or version", async () => {
    await expect(read(members(), "harbor_toys-1.0-py3-none-any.whl")).rejects.toEqual(refusal(["name.mismatch"]));
    await expect(read(members(), "harbor_tools-1.1-py3-none-any.whl")).rejects.toEqual(refusal(["version.mismatch"]));
  });

  test("is refused without a metadata folder, or with two", async () => {
    await expect(read([member("harbor_tools/__init__.py", "")])).rejects.toEqual(
      refusal(["read.python.pkg.info.exception"]),
    );
    await expect(read([...members(), member("other-1.0.dist-info/METADATA", metadata)])).rejects.toEqual(
      refusal(["invalid.metadata"]),
    );
  });

  test("is refused with two METADATA files, of which readers use one or the other", async () => {
    const bytes = overwritten(
      await zip([...members(), member(`${folder}/METADATB`, metadata)]),
      "METADATB",
      "METADATA",
    );
    await expect(readDistribution(bytesOf(bytes), fileName)).rejects.toEqual(refusal(["unsafe.archive.entry"]));
  });

  test("is refused if RECORD lists other files than it installs, however their names are written", async () => {
    const module = member('harbor_tools/with, "quotes".py', "");
    const named = (path: string) => {
      const RECORD = record(members({ RECORD: undefined }), `${folder}/RECORD`);
      return members({ RECORD: `${RECORD}${path},sha256=47DEQpj8HBSa-_TImW-5JCeuQeRkm5NMpJWZG3hSuFU,0\r\n` }, [module]);
    };
    expect((await read(named('"harbor_tools/with, ""quotes"".py"'))).name).toBe("harbor-tools");
    for (const wrong of [
      [...members(), module],
      named("harbor_tools/other.py"),
      [...members(), member(`${folder}/entry_points.txt`, "")],
      [...members({}, [module]).filter((file) => file !== module)],
    ])
      await expect(read(wrong)).rejects.toEqual(refusal(["invalid.metadata"]));
  });

  test("may be signed: RECORD cannot list its signatures", async () => {
    const signatures = ["RECORD.jws", "RECORD.p7s"].map((name) => member(`${folder}/${name}`, "signed"));
    expect((await read([...members(), ...signatures])).name).toBe("harbor-tools");
  });

  test.each<[string, (line: string) => string]>([
    ["another hash", (line) => line.replace(/sha256=.{4}/, "sha256=AAAA")],
    ["no hash", (line) => line.replace(/sha256=[^,]*/, "")],
    ["an empty hash", (line) => line.replace(/sha256=[^,]*/, "sha256=")],
    ["a hash that is too weak", (line) => line.replace(/sha256=[^,]*/, "md5=4vjaF_37EDMT37ORhUTGiA")],
    ["another size", (line) => line.replace(/\d+$/, "13")],
  ])("is refused if RECORD has %s of one file", async (_, wrong) => {
    const module = member("harbor_tools/tides.py", "answer = 42\n");
    const lines = record(members({ RECORD: undefined }, [module]), `${folder}/RECORD`).split("\n");
    const damaged = (name: string) => lines.map((line) => (line.includes(name) ? wrong(line) : line)).join("\n");
    for (const name of ["tides.py", "METADATA", "WHEEL"])
      await expect(read(members({ RECORD: damaged(name) }, [module]))).rejects.toEqual(refusal(["invalid.metadata"]));
    expect((await read(members({ RECORD: lines.join("\n") }, [module]))).name).toBe("harbor-tools");
  });

  test("is accepted with SHA-512 in RECORD, and without sizes", async () => {
    const files = members({ RECORD: undefined });
    const lines = files.map(
      ({ path, bytes }) => `${path},sha512=${createHash("sha512").update(bytes).digest("base64url")},\n`,
    );
    expect((await read(members({ RECORD: `${lines.join("")}${folder}/RECORD,,` }))).name).toBe("harbor-tools");
  });

  test("is refused if another file's name differs from METADATA only in case or Unicode form", async () => {
    const twin = member(`${folder}/Metadata`, "");
    await expect(read(members({}, [twin]))).rejects.toEqual(refusal(["unsafe.archive.entry"]));
  });

  test("is refused if two of its files are installed in one place", async () => {
    const data = "harbor_tools-1.0.data";
    const [own, pure, platform] = ["", `${data}/purelib/`, `${data}/platlib/`].map((scheme) =>
      member(`${scheme}harbor_tools/__init__.py`, `# ${scheme}`),
    );
    const script = member(`${data}/scripts/harbor_tools/__init__.py`, "#!python");
    for (const both of [
      [own, pure],
      [pure, own],
      [pure, platform],
    ])
      await expect(read(members({}, both as Member[]))).rejects.toEqual(refusal(["unsafe.archive.entry"]));
    for (const fine of [
      [own, script],
      [pure, script],
      [own, member(`${data}/purelib/harbor_tools/__init__.py`, "")],
    ])
      await expect(read(members({}, fine as Member[]))).resolves.toBeDefined();
  });

  test.each([
    ["climbs out", "../../x", "unsafe.archive.entry"],
    ["is absolute", "/etc/xx", "unsafe.archive.entry"],
    ["has a drive", "C:/xxxx", "unsafe.archive.entry"],
    ["has a backslash", "a\\..\\xx", "unsafe.archive.entry"],
  ])("is refused if the path of a member %s", async (_, path, code) => {
    const harmless = "h".repeat(path.length);
    const bytes = overwritten(await zip([...members(), member(harmless, "")]), harmless, path);
    await expect(readDistribution(bytesOf(bytes), fileName)).rejects.toEqual(refusal([code]));
  });

  test("is refused if it is not a zip, truncated or empty", async () => {
    const bytes = await zip(members());
    const unreadable = [Buffer.from("<!DOCTYPE html>"), bytes.subarray(0, -30), bytes.subarray(0, 10)];
    for (const wrong of unreadable)
      await expect(readDistribution(bytesOf(wrong), fileName)).rejects.toEqual(refusal(["could.not.extract.file"]));
    await expect(read([])).rejects.toEqual(refusal(["empty.archive"]));
  });

  test("is refused or read correctly with any bit flipped", async () => {
    const bytes = await zip(members());
    for (let bit = 0; bit < bytes.length * 8; bit += 7) {
      const damaged = new Uint8Array(bytes);
      damaged[bit >> 3] = (damaged[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      const outcome = await readDistribution(bytesOf(damaged), fileName).catch((error: unknown) => error);
      if (outcome instanceof Error) expect(outcome).toBeInstanceOf(UnacceptablePackage);
      else expect(outcome).toMatchObject({ metadata: { coreMetadata: metadata } });
    }
  });

  test("is refused beyond its limits, by the sizes in its directory and by the bytes that arrive", async () => {
    const many = { ...defaultLimits, maxMembers: 2 };
    await expect(read(members(), fileName, many)).rejects.toEqual(refusal(["archive.too.large"]));
    const large = { ...defaultLimits, maxUnpackedBytes: 100 };
    await expect(read(members(), fileName, large)).rejects.toEqual(refusal(["archive.too.large"]));
    const wordy = { ...defaultLimits, maxMetadataBytes: 50 };
    await expect(read(members(), fileName, wordy)).rejects.toEqual(refusal(["archive.too.large"]));
  });

  test.each([
    "a.whl",
    "a-1.0.whl",
    "a-1.0-py3-none.whl",
    "a-1.0-b1-py3-none-any.whl",
    "a-1.0-1-2-py3-none-any.whl",
    "a-1.0--none-any.whl",
    "a-1.0-py3-none-../x.whl",
  ])("may not be called %s", (name) => {
    expect(() => checkFileName(name)).toThrow("invalid.filename");
  });
});
