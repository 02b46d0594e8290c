import { createHash } from "node:crypto";
import { readTarGz as readTarByAnother, readZip as readZipByAnother } from "@packhouse/fixtures/archive-reading";
import { gzip, type Member, member, type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { cpuMs, standardMs } from "@packhouse/fixtures/cpu-time";
import { hostileTexts } from "@packhouse/fixtures/growth";
import { propertyRuns } from "@packhouse/fixtures/property-runs";
import { record } from "@packhouse/fixtures/python-project";
import { type ZipEnd, type ZipPart, zipOfParts } from "@packhouse/fixtures/zip-parts";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTarGz } from "./archive/package-archive.ts";
import { zipContent } from "./archive/zip.ts";
import { zipDirectory } from "./archive/zip-structure.ts";
import { bytesOf } from "./byte-source.ts";
import { defaultLimits } from "./package-file.ts";
import { readDistribution } from "./python/distribution.ts";
import { readRPackage } from "./r/package-archive.ts";
import { UnacceptablePackage } from "./unacceptable-package.ts";

const longestMs = 500;

/** The result; undefined if refused. Anything else that is thrown fails the test, and so does a stall. */
async function answer<T>(read: () => Promise<T>): Promise<T | undefined> {
  const start = cpuMs();
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
    return undefined;
  } finally {
    // Once more if it was slow: other work on this thread counts, too.
    const first = standardMs(cpuMs() - start);
    if (first > longestMs) {
      const again = cpuMs();
      await read().catch(() => undefined);
      expect(Math.min(first, standardMs(cpuMs() - again))).toBeLessThan(longestMs);
    }
  }
}

/** Mostly nothing, but now and then one of these. */
const rarely = <T>(arbitrary: fc.Arbitrary<T>, weight = 1): fc.Arbitrary<T | undefined> =>
  fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight, arbitrary });
type Defined<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };
const isDefined = <T extends object>(record: object): record is Defined<T> =>
  Object.values(record).every((value) => value !== undefined);

/** A copy without undefined properties. */
function withoutUndefined<T extends object>(record: T): Defined<T> {
  const kept: object = Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined));
  if (!isDefined<T>(kept)) throw new Error("something is undefined");
  return kept;
}

const content = fc.oneof(
  fc.constant(Buffer.alloc(0)),
  fc.constant(Buffer.from("tide ".repeat(500))),
  fc.uint8Array({ maxLength: 60 }).map((bytes) => Buffer.from(bytes)),
  fc.constant(zipOfParts([{ name: "evil.pth", bytes: Buffer.from("import os") }])),
);
const names = fc.constantFrom(
  "a.py",
  "A.py",
  "b/c.py",
  "b",
  "b/",
  "d/e/f.txt",
  "é.txt",
  "é.txt",
  "x y.txt",
  "z".repeat(300),
);
const unsafeNames = fc.constantFrom("../x", "/etc/x", "a\\b", "C:/x", "a\0b", "./a.py", "b//c.py", "", ".", "..");
const number = fc.oneof(fc.nat({ max: 40 }), fc.constantFrom(0, 8, 12, 0xffff, 0xffff_fffe, 0xffff_ffff));
const extra = fc
  .tuple(fc.constantFrom(1, 0x5455, 0x7075, 0x9999), fc.uint8Array({ maxLength: 30 }), fc.integer({ min: -2, max: 2 }))
  .map(([id, bytes, wrong]) => Buffer.from([id & 0xff, id >> 8, Math.max(bytes.length + wrong, 0), 0, ...bytes]));
const header = fc
  .record({
    name: rarely(fc.oneof(names, unsafeNames)),
    flags: rarely(fc.constantFrom(0, 1, 8, 0x800, 0x801, 0x808, 0x840, 0x2800)),
    method: rarely(fc.constantFrom(0, 8, 12, 14, 99)),
    checksum: rarely(number),
    compressedSize: rarely(number),
    uncompressedSize: rarely(number),
    extra: rarely(extra),
  })
  .map(withoutUndefined);
const part: fc.Arbitrary<ZipPart> = fc
  .record({
    name: fc.oneof({ weight: 30, arbitrary: names }, { weight: 1, arbitrary: unsafeNames }),
    bytes: content,
    local: rarely(header, 4),
    central: rarely(header, 2),
    behind: rarely(fc.oneof(fc.constantFrom("descriptor", "signed descriptor", "large descriptor"), content), 6),
    zip64: rarely(fc.constant(true), 4),
    unixMode: rarely(fc.constantFrom(0o120777, 0o40755, 0o60666, 0o10666, 0)),
    listed: rarely(fc.constant(false)),
    offset: rarely(
      fc.constantFrom(
        (own: number) => own + 1,
        () => 0,
        (own: number) => own - 30,
      ),
    ),
  })
  .map((it) => ({ ...withoutUndefined(it), name: it.name }));
const end: fc.Arbitrary<ZipEnd> = fc
  .record({
    zip64: fc.constantFrom("none", "plain", "escaped"),
    beforeDirectory: rarely(content),
    beforeEnd: rarely(content),
    beforeAll: rarely(content),
    behind: rarely(content),
    comment: rarely(content),
    count: rarely(number),
    count64: rarely(number),
    directoryOffset: rarely(number),
    directoryOffset64: rarely(number),
    locatorShift: rarely(fc.integer({ min: -60, max: 60 })),
  })
  .map(withoutUndefined);

describe("a hostile zip", () => {
  test("is refused quickly, or holds what another reader finds in it", { timeout: 120_000 }, async () => {
    const outcomes = { refused: 0, read: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 4 }), end, async (parts, ending) => {
        const zip = zipOfParts(parts, ending);
        const source = bytesOf(zip);
        const ours = await answer(async () => {
          const members = await zipDirectory(source, defaultLimits);
          return Promise.all(
            members.map(async (it) => [
              it.filename,
              Buffer.from(await zipContent(source, it, 1_000_000)).toString("hex"),
            ]),
          );
        });
        outcomes[ours ? "read" : "refused"] += 1;
        if (!ours) return;
        const theirs = await readZipByAnother(zip);
        const named = theirs.map(({ bytes }) => Buffer.from(bytes).toString("hex"));
        expect(ours.map(([, bytes]) => bytes)).toEqual(named);
      }),
      propertyRuns(1500),
    );
    expect(outcomes.refused).toBeGreaterThan(100);
    expect(outcomes.read).toBeGreaterThan(100);
  });
});

const folder = "tides-1.0.dist-info";
const damagedLine = fc.constantFrom<(line: string) => string>(
  (line) => line.replace(/=./, "=A"),
  (line) => line.replace(/\d+$/, "7"),
  (line) => line.replace(/sha256=[^,]*/, ""),
  (line) => `${line}\n${line}`,
  (line) => `"${line}`,
  (line) => line.replace(",", '","'),
  () => "",
  (line) => line.toUpperCase(),
);

describe("a hostile wheel", () => {
  test("is refused quickly, or has the files that its RECORD lists", { timeout: 120_000 }, async () => {
    const outcomes = { refused: 0, read: 0 };
    const file = fc.tuple(
      names.filter((name) => !name.endsWith("/")),
      content,
    );
    const damages = fc.array(fc.tuple(fc.nat({ max: 6 }), damagedLine), { maxLength: 2 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(file, { maxLength: 3 }),
        damages,
        rarely(part),
        end,
        async (files, wrong, more, ending) => {
          const members: Member[] = [
            ...new Map(files.map(([path, bytes]) => [path, { path, bytes }])).values(),
            member(`${folder}/METADATA`, "Metadata-Version: 2.1\nName: tides\nVersion: 1.0\n"),
            member(`${folder}/WHEEL`, "Wheel-Version: 1.0\n"),
          ];
          const lines = record(members, `${folder}/RECORD`).split("\n");
          for (const [at, spoil] of wrong) lines[at % lines.length] = spoil(lines[at % lines.length] ?? "");
          const all = [...members, member(`${folder}/RECORD`, lines.join("\n"))];
          const parts = all.map(({ path, bytes }): ZipPart => ({ name: path, bytes }));
          const zip = zipOfParts(more ? [...parts, more] : parts, ending);
          const ours = await answer(() => readDistribution(bytesOf(zip), "tides-1.0-py3-none-any.whl"));
          outcomes[ours ? "read" : "refused"] += 1;
          if (!ours) return;
          const listed = new Set(lines.map((line) => line.replaceAll('"', "")));
          for (const { path, bytes } of await readZipByAnother(zip)) {
            if (path.endsWith("/") || path === `${folder}/RECORD`) continue;
            const digest = createHash("sha256").update(bytes).digest("base64url");
            const [line] = [...listed].filter((text) => text.startsWith(`${path},sha256=${digest},`));
            expect([path, line]).toEqual([path, expect.any(String)]);
          }
        },
      ),
      propertyRuns(400),
    );
    expect(outcomes.refused).toBeGreaterThan(30);
    expect(outcomes.read).toBeGreaterThan(30);
  });
});

const tarName = fc.oneof(
  {
    weight: 20,
    arbitrary: fc.constantFrom(
      "pkg/DESCRIPTION",
      "pkg/R/a.R",
      "pkg/a",
      "pkg/a/b",
      "pkg/Description",
      "./pkg/R/a.R",
      "pkg/R/",
    ),
  },
  { weight: 1, arbitrary: fc.constantFrom("/pkg/a", "pkg/../../a", "other/a", "..", "pkg/a\0b", "") },
);
const tarEntry: fc.Arbitrary<TarEntry> = fc
  .record({
    name: tarName,
    bytes: fc.constantFrom(Buffer.from("it"), Buffer.from("that"), Buffer.alloc(600, "x")),
    type: rarely(fc.constantFrom("symlink", "link", "directory", "fifo", "block-device", "contiguous-file"), 3),
    linkname: fc.constantFrom("a", "pkg/a", "../a", "/etc/passwd", "../../a", "R/../../.."),
    pax: rarely(
      fc.constantFrom({ path: "pkg/DESCRIPTION" }, { size: "3" }, { linkpath: "../x" }, { comment: "x".repeat(900) }),
    ),
  })
  .map(({ type, linkname, pax, ...file }): TarEntry => {
    const more = pax ? { pax: Object.fromEntries(Object.entries(pax)) } : {};
    if (type === undefined || type === "contiguous-file") return { ...file, ...more, ...(type && { type }) };
    return { name: file.name, type, ...(type.endsWith("link") && { linkname }), ...more };
  });

describe("a hostile tar", () => {
  test("is refused quickly, or holds the DESCRIPTION that another reader finds", { timeout: 120_000 }, async () => {
    const outcomes = { refused: 0, read: 0 };
    await fc.assert(
      fc.asyncProperty(fc.array(tarEntry, { minLength: 1, maxLength: 6 }), async (entries) => {
        const packed = gzip(await tar(entries, new Date(0)));
        const ours = await answer(() => readTarGz(bytesOf(packed), (path) => path === "DESCRIPTION", defaultLimits));
        outcomes[ours ? "read" : "refused"] += 1;
        if (!ours) return;
        const theirs = (await readTarByAnother(packed)).filter(
          ({ name, type }) => name.replace(/^\.\//, "") === `${ours.root}/DESCRIPTION` && String(type).endsWith("file"),
        );
        const text = ours.files.get("DESCRIPTION");
        for (const file of theirs) expect(text && new TextDecoder().decode(text)).toBe(file.text);
        expect(text !== undefined).toBe(theirs.length > 0);
      }),
      propertyRuns(1000),
    );
    expect(outcomes.refused).toBeGreaterThan(100);
    expect(outcomes.read).toBeGreaterThan(50);
  });
});

describe("hostile metadata", () => {
  const hostile = fc
    .tuple(fc.constantFrom(...hostileTexts(true)), fc.nat({ max: 20_000 }))
    .map(([text, length]) => text.ofLength(length));
  const line = fc.tuple(
    fc.constantFrom(
      ...[
        "Package",
        "Version",
        "Title",
        "Description",
        "Author",
        "Authors@R",
        "License",
        "Imports",
        "Encoding",
        "Built",
      ],
      ...[
        "Name",
        "Summary",
        "Requires-Dist",
        "Classifier",
        "Project-URL",
        "Author-email",
        "Metadata-Version",
        "Provides-Extra",
      ],
    ),
    fc.oneof(fc.constantFrom("tides", "1.0", "UTF-8", "2.1"), hostile),
  );
  const text = fc
    .array(line, { maxLength: 12 })
    .map((lines) => lines.map(([name, value]) => `${name}: ${value}\n`).join(""));

  test("is refused or read quickly", { timeout: 120_000 }, async () => {
    await fc.assert(
      fc.asyncProperty(text, async (lines) => {
        const r = gzip(
          await tar(
            [{ name: "tides/DESCRIPTION", bytes: Buffer.from(`Package: tides\nVersion: 1.0\n${lines}`) }],
            new Date(0),
          ),
        );
        await answer(() => readRPackage(bytesOf(r), "tides_1.0.tar.gz"));
        const info = Buffer.from(`Metadata-Version: 2.1\nName: tides\nVersion: 1.0\n${lines}`);
        const python = gzip(await tar([{ name: "tides-1.0/PKG-INFO", bytes: info }], new Date(0)));
        await answer(() => readDistribution(bytesOf(python), "tides-1.0.tar.gz"));
      }),
      propertyRuns(200),
    );
  });
});
