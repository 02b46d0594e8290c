import { readdirSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { type TarEntry, tar } from "@packhouse/fixtures/archive-writing";
import { disproportion, hostileTexts } from "@packhouse/fixtures/growth";
import { isThorough } from "@packhouse/fixtures/property-runs";
import { zipOfParts } from "@packhouse/fixtures/zip-parts";
import { describe, expect, test } from "vitest";
import { ByteStream } from "./archive/byte-stream.ts";
import { decodeCp437 } from "./archive/cp437.ts";
import { gunzip } from "./archive/gunzip.ts";
import { checkLetterCase, isDebris, linkTarget, safeSegments, safeZipSegments } from "./archive/member-paths.ts";
import { readTarGz } from "./archive/package-archive.ts";
import { tarMembers } from "./archive/tar.ts";
import { zipDirectory } from "./archive/zip-structure.ts";
import { bytesOf } from "./byte-source.ts";
import { defaultLimits } from "./package-file.ts";
import * as coreMetadata from "./python/core-metadata.ts";
import * as distribution from "./python/distribution.ts";
import * as pythonName from "./python/name.ts";
import { packageOfMetadata } from "./python/package-of-metadata.ts";
import { pythonRequirements, requirementsIn } from "./python/requirements.ts";
import { partsOfSdistName } from "./python/sdist.ts";
import { chooseSimpleForm, fileNameInAddress, projectList, projectPage } from "./python/simple-index.ts";
import { NoSimpleIndex, readProjectList, readProjectPage } from "./python/upstream-index.ts";
import * as pythonVersion from "./python/version.ts";
import { partsOfWheelName } from "./python/wheel.ts";
import { wheelModulePath } from "./python/wheel-paths.ts";
import { readRecord } from "./python/wheel-record.ts";
import { authorsText, maintainerText, readAuthors } from "./r/authors-at-r.ts";
import * as binaryTarget from "./r/binary-target.ts";
import { readDescription } from "./r/dcf.ts";
import { dependenciesIn, rDependencies } from "./r/dependencies.ts";
import { brokenRules } from "./r/description-rules.ts";
import { rDocumentation } from "./r/documentation.ts";
import { takeConditionalLines } from "./r/manual/conditionals.ts";
import { decodeRd } from "./r/manual/decode-rd.ts";
import { mathText } from "./r/manual/math.ts";
import { parseRd, readMacros } from "./r/manual/parse-rd.ts";
import { renderManual } from "./r/manual/render-manual.ts";
import { fileStem, topicOf } from "./r/manual/topic.ts";
import { UserMacros } from "./r/manual/user-macros.ts";
import { checkFileName } from "./r/package-archive.ts";
import { nameOfFile, packageOfDescription } from "./r/package-of-description.ts";
import { packagesText } from "./r/packages-index.ts";
import { readPackagesIndex } from "./r/upstream-index.ts";
import * as rVersion from "./r/version.ts";
import { isVignette } from "./r/vignettes.ts";
import { withoutLeading, withoutTrailing } from "./trim-characters.ts";
import { UnacceptablePackage } from "./unacceptable-package.ts";

const utf8 = new TextEncoder();
const noTags = { compatibilityTags: null, builtTag: null, pythonTag: null, abiTag: null, platformTag: null };
const particulars = { fileName: "a-1.tar.gz", kind: "source", tags: noTags, coreMetadata: null } as const;
const manual = (text: string) =>
  renderManual({
    packageName: "tides",
    version: "1.0",
    title: text,
    fields: new Map([["Description", text]]),
    files: [{ path: "man/a.Rd", text: `\\name{a}\\title{b}\\description{c}\n${text}` }],
    macros: [text],
  });
const simpleFile = (text: string) => ({
  fileName: text,
  url: text,
  version: text,
  hashes: { sha256: text },
  fragmentHash: "sha256",
  requiresPython: text,
  size: 1,
  uploadTime: new Date(0),
  coreMetadataSha256: text,
  yanked: text,
});
const indexed = (text: string) => ({
  name: "tides",
  version: "1.0",
  license: text,
  md5: "",
  metadata: {
    ...{ depends: text, imports: null, linkingTo: null, suggests: null, enhances: null, priority: null },
    ...{ osType: null, archs: null, licenseIsFoss: null, licenseRestrictsUse: null, built: null },
    needsCompilation: "no" as const,
  },
});

/** What each parser does with a text. */
const parsers: Record<string, (text: string) => unknown> = {
  "archive/cp437.ts decodeCp437": (text) => decodeCp437(utf8.encode(text)),
  "archive/gunzip.ts gunzip": (text) => Array.fromAsync(gunzip(bytesOf(utf8.encode(`\u001f${text}`)), defaultLimits)),
  "archive/member-paths.ts checkLetterCase": (text) => checkLetterCase(text.split(","), new Map([[text, 1]])),
  "archive/member-paths.ts isDebris": (text) => isDebris(text.split("/")),
  "archive/member-paths.ts linkTarget": (text) => linkTarget([text], text),
  "archive/member-paths.ts safeSegments": safeSegments,
  "archive/member-paths.ts safeZipSegments": safeZipSegments,
  "archive/tar.ts tarMembers": (text) => Array.fromAsync(tarMembers(streamOf(utf8.encode(text)), defaultLimits)),
  "archive/zip-structure.ts zipDirectory": (text) => zipDirectory(bytesOf(utf8.encode(text)), defaultLimits),
  "python/core-metadata.ts brokenRules": (text) => coreMetadata.brokenRules({ name: text, version: text }),
  "python/core-metadata.ts checkMetadataVersion": (text) =>
    coreMetadata.checkMetadataVersion(coreMetadata.readCoreMetadata(utf8.encode(`Metadata-Version: ${text}`))),
  "python/core-metadata.ts checkFields": (text) =>
    coreMetadata.checkFields(coreMetadata.readCoreMetadata(utf8.encode(`Name: ${text}\nVersion: ${text}`)), [
      { name: text, version: text },
    ]),
  "python/core-metadata.ts readCoreMetadata": (text) => {
    const it = coreMetadata.readCoreMetadata(utf8.encode(`Name: a\nDescription: ${text}`));
    for (const header of ["Name", "Description", "A", "Encoding"]) it.all(header);
  },
  "python/distribution.ts checkFileName": (text) => distribution.checkFileName(text, true),
  "python/name.ts isDistributionName": pythonName.isDistributionName,
  "python/name.ts isName": pythonName.isName,
  "python/name.ts normalizeName": pythonName.normalizeName,
  "python/package-of-metadata.ts packageOfMetadata": (text) =>
    packageOfMetadata(
      coreMetadata.readCoreMetadata(
        utf8.encode(
          ["Author-email", "Project-URL", "Classifier", "Requires-Dist", "License"]
            .map((header) => `${header}: ${text.replaceAll("\n", " ")}\n`)
            .join(""),
        ),
      ),
      particulars,
    ),
  "python/requirements.ts pythonRequirements": (text) => {
    for (const { constraint } of pythonRequirements.read({ requiresDist: `a ${text}` }))
      pythonRequirements.satisfies("1.0", constraint);
    pythonRequirements.satisfies("1.0", text);
    pythonRequirements.satisfies("1.0", `==${text}.*`);
  },
  "python/requirements.ts requirementsIn": (text) => requirementsIn({ requiresDist: text }),
  "python/sdist.ts partsOfSdistName": (text) => partsOfSdistName(`${text}.tar.gz`),
  "python/simple-index.ts chooseSimpleForm": (text) => chooseSimpleForm([text], text),
  "python/simple-index.ts fileNameInAddress": (text) => fileNameInAddress(text.toWellFormed()),
  "python/simple-index.ts projectList": (text) => projectList([text], text),
  "python/simple-index.ts projectPage": (text) => projectPage(text, [simpleFile(text), simpleFile(text)]),
  "python/upstream-index.ts readProjectList": (text) => {
    readProjectList(text, "text/html");
    readProjectList(`{"projects": [{"name": ${JSON.stringify(text)}}]}`, "application/json");
    readProjectList(text, "application/json");
  },
  "python/upstream-index.ts readProjectPage": (text) => {
    for (const page of [text, `<a href="${text}">`, `<a ${text}`])
      readProjectPage(page, "text/html", "http://localhost/simple/a/", "a");
    const files = [{ url: text, filename: text, hashes: { sha256: text }, yanked: text }];
    readProjectPage(JSON.stringify({ files }), "application/json", "http://localhost/simple/a/", "a");
    readProjectPage(text, "application/json", "http://localhost/simple/a/", "a");
  },
  "python/version.ts compareVersions": (text) => pythonVersion.compareVersions(text, `1.${text}`),
  "python/version.ts isPreRelease": pythonVersion.isPreRelease,
  "python/version.ts partsOfVersion": pythonVersion.partsOfVersion,
  "python/version.ts isVersion": pythonVersion.isVersion,
  "python/version.ts versionForms": pythonVersion.versionForms,
  "python/version.ts versionKey": pythonVersion.versionKey,
  "python/version.ts versionOrder": pythonVersion.versionOrder,
  "python/wheel-paths.ts wheelModulePath": (text) => wheelModulePath(`${text}.data/purelib/${text}`),
  "python/wheel-record.ts readRecord": (text) =>
    readRecord(utf8.encode(text), [], { name: "a-1.dist-info", build: "1" }),
  "python/wheel.ts partsOfWheelName": (text) => partsOfWheelName(`${text}-py3-none-any.whl`),
  "r/authors-at-r.ts authorsText": (text) =>
    authorsText([{ given: [text], family: [text], email: [text], role: [text], comment: [text] }]),
  "r/authors-at-r.ts maintainerText": (text) =>
    maintainerText([{ given: [text], family: [text], email: [text], role: ["cre"], comment: [text] }]),
  "r/authors-at-r.ts readAuthors": (text) => {
    for (const field of [text, `c(${text})`, `person("${text}")`, `person(${text}`, `as.person("${text}")`])
      readAuthors(field);
  },
  "r/binary-target.ts builtTarget": (text) => binaryTarget.builtTarget(`R ${text}; ${text}; ; unix`),
  "r/binary-target.ts minorVersion": binaryTarget.minorVersion,
  "r/binary-target.ts problemsOfBinary": (text) =>
    binaryTarget.problemsOfBinary(text, {
      target: { rVersion: text, architecture: text, distribution: text },
      allowed: { rVersions: ["4.2"], architectures: [], distributions: [] },
    }),
  "r/binary-target.ts systemOf": binaryTarget.systemOf,
  "r/dcf.ts readDescription": (text) => {
    for (const field of [text, `Package: a\n ${text}`]) catching(() => readDescription(utf8.encode(field)));
  },
  "r/dependencies.ts dependenciesIn": (text) => dependenciesIn({ depends: text, imports: `a (${text}` }),
  "r/dependencies.ts rDependencies": (text) => {
    rDependencies.read({ depends: text });
    rDependencies.satisfies("1.0", `>= ${text}`);
    rDependencies.satisfies("1.0", text);
  },
  "r/description-rules.ts brokenRules": (text) =>
    brokenRules({ name: text, description: text, author: text, license: text, title: text, version: text }),
  "r/manual/conditionals.ts takeConditionalLines": takeConditionalLines,
  "r/manual/decode-rd.ts decodeRd": (text) => decodeRd(utf8.encode(text), text),
  "r/manual/math.ts mathText": mathText,
  "r/manual/parse-rd.ts parseRd": (text) => {
    for (const page of [text, `\\usage{${text}`, `\\eqn{${text}`, `\\examples{${text}`]) parseRd(page);
  },
  "r/manual/parse-rd.ts readMacros": (text) => readMacros(text, new UserMacros()),
  "r/manual/render-manual.ts renderManual": manual,
  "r/manual/topic.ts fileStem": fileStem,
  "r/manual/topic.ts topicOf": (text) => topicOf(parseRd(text), text),
  "r/package-archive.ts checkFileName": (text) => checkFileName(`${text}_1.tar.gz`),
  "r/package-of-description.ts nameOfFile": nameOfFile,
  "r/package-of-description.ts packageOfDescription": (text) => {
    const line = text.replaceAll("\n", " ");
    const description = `Package: ${line}\nVersion: ${line}\nAuthors@R: ${line}\nBuilt: ${line}\nImports: ${line}\n`;
    return packageOfDescription(utf8.encode(description), `${line}_1.tar.gz`);
  },
  "r/packages-index.ts packagesText": (text) => packagesText([indexed(text)]),
  "r/upstream-index.ts readPackagesIndex": (text) => [...readPackagesIndex(utf8.encode(text))],
  "r/version.ts compareVersions": (text) => rVersion.compareVersions(text, `1.${text}`),
  "r/version.ts isVersion": rVersion.isVersion,
  "r/version.ts versionKey": rVersion.versionKey,
  "r/version.ts versionOrder": rVersion.versionOrder,
  "r/vignettes.ts isVignette": (text) => isVignette(`inst/doc/${text}.html`, "source"),
  "trim-characters.ts withoutLeading": (text) => withoutLeading(text, text.at(0) ?? "x"),
  "trim-characters.ts withoutTrailing": (text) => withoutTrailing(text, text.at(-1) ?? "x"),
};

const streamOf = (bytes: Uint8Array) =>
  new ByteStream(
    (async function* () {
      yield bytes;
    })(),
  );

/** Archives with as many members, names or headers as fit into a given length. */
const archives: Record<
  string,
  { make(length: number): Promise<Uint8Array> | Uint8Array; run(bytes: Uint8Array): unknown }
> = {
  "archive/package-archive.ts readTarGz": {
    make: async (length) =>
      gzipped(
        await tar(
          times(length / 512, (index) => ({ name: `pkg/d${index % 99}/f${index}`, bytes: Buffer.alloc(0) })),
          new Date(0),
        ),
      ),
    run: (bytes) => readTarGz(bytesOf(bytes), () => true, defaultLimits),
  },
  "archive/tar.ts tarMembers, PAX": {
    make: (length) =>
      tar(
        [
          {
            name: "a",
            bytes: Buffer.alloc(0),
            pax: Object.fromEntries(times(length / 20, (index) => [`k${index}`, "value"])),
          },
        ],
        new Date(0),
      ),
    run: (bytes) => Array.fromAsync(tarMembers(streamOf(bytes), defaultLimits)),
  },
  "archive/package-archive.ts readTarGz, repeated": {
    make: async (length) =>
      gzipped(
        await tar(
          times(length / 512, (index): TarEntry => ({ name: `pkg/f${index % 100}`, bytes: Buffer.from("x") })),
          new Date(0),
        ),
      ),
    run: (bytes) => readTarGz(bytesOf(bytes), () => true, defaultLimits),
  },
  "archive/zip-structure.ts zipDirectory, members": {
    make: (length) => zipOfParts(times(length / 100, (index) => ({ name: `pkg/d${index % 99}/f${index}` }))),
    run: (bytes) => zipDirectory(bytesOf(bytes), defaultLimits),
  },
  "r/vignettes.ts vignetteOf": {
    make: async (length) =>
      gzipped(
        await tar([{ name: "pkg/inst/doc/a.html", bytes: Buffer.from("<title".repeat(length / 6)) }], new Date(0)),
      ),
    run: (bytes) => rDocumentation({ source: bytesOf(bytes), fileName: "pkg_1.tar.gz", kind: "source" }),
  },
  "r/vignettes.ts vignetteOf, titles": {
    make: async (length) =>
      gzipped(
        await tar([{ name: "pkg/inst/doc/a.html", bytes: Buffer.from("<title>".repeat(length / 7)) }], new Date(0)),
      ),
    run: (bytes) => rDocumentation({ source: bytesOf(bytes), fileName: "pkg_1.tar.gz", kind: "source" }),
  },
};

/** Functions that read no untrusted text, or only what one of the above has read. */
const notParsers: Record<string, string> = {
  "archive/concatenate.ts concatenate": "joins bytes",
  "archive/files.ts archiveFiles": "reads by tarMembers and zipDirectory",
  "archive/member-paths.ts isBelowFile": "is part of what the rows of archives run",
  "archive/member-paths.ts unsafe": "makes an error",
  "archive/native-inflate.ts nativeCrc32": "computes a number",
  "archive/native-inflate.ts nativeInflate": "unpacks one member",
  "archive/zip.ts readZip": "reads by zipDirectory",
  "archive/zip.ts zipBeginning": "unpacks one member",
  "archive/zip.ts zipContent": "unpacks one member",
  "archive/zip.ts zipParts": "unpacks one member",
  "archive/zip-entries.ts checkUnicodePath": "is part of zipDirectory",
  "archive/zip-entries.ts entriesOf": "is part of zipDirectory",
  "archive/zip-entries.ts extraFields": "is part of zipDirectory",
  "archive/zip-fields.ts ambiguous": "makes an error",
  "archive/zip-fields.ts damaged": "makes an error",
  "archive/zip-fields.ts longAt": "reads a number",
  "archive/zip-fields.ts readExactly": "reads a range",
  "archive/zip-fields.ts shown": "cuts a text",
  "archive/zip-fields.ts tooLarge": "makes an error",
  "archive/zip-fields.ts view": "reads nothing",
  "archive/zip-local-headers.ts dataOffsets": "is part of zipDirectory",
  "byte-source.ts blobSource": "reads nothing",
  "byte-source.ts bytesOf": "reads nothing",
  "byte-source.ts isMemorySource": "reads nothing",
  "byte-source.ts chunksOf": "cuts bytes",
  "byte-source.ts readOnceIfSmall": "cuts bytes",
  "similar-name.ts isOneEditFrom": "compares two names once",
  "dependency.ts holds": "compares a number",
  "dependency.ts textOf": "picks a field",
  "documentation.ts documentationReader": "picks a value",
  "documentation.ts readDocumentationOf": "reads by rDocumentation and longDescription",
  "format.ts formatOf": "picks a value",
  "metadata-limits.ts checkCount": "compares a number",
  "metadata-limits.ts checkFieldLengths": "compares a length",
  "metadata-limits.ts checkFieldName": "compares a length",
  "python/digest.ts newDigest": "picks a value",
  "python/distribution.ts readDistribution": "reads by readSdist and readWheel",
  "python/long-description.ts longDescription": "counts bytes",
  "python/sdist.ts readSdist": "reads by readTarGz and readCoreMetadata",
  "python/wheel-record.ts mismatch": "unpacks members",
  "python/wheel.ts readWheel": "reads by zipDirectory, readCoreMetadata and readRecord",
  "r/binary-target.ts binaryExtension": "picks a value",
  "r/vignettes.ts vignetteBytes": "picks a value",
  "r/documentation.ts rDocumentation": "reads by vignetteOf and archiveFiles",
  "r/binary-target.ts binaryFolder": "joins what was read by minorVersion and systemOf",
  "r/binary-target.ts takesSources": "looks at the start",
  "r/manual/documentation-files.ts readDocumentation": "reads by tarMembers",
  "html.ts html": "joins texts, as renderManual does",
  "html.ts joined": "joins texts",
  "r/manual/manual-source.ts readManualSource": "reads by readDocumentation and decodeRd",
  "r/manual/rd-tree.ts plainText": "walks what parseRd read, as renderManual does",
  "r/manual/rd-tree.ts textOfSymbol": "picks a value",
  "r/manual/render-blocks.ts heading": "is part of renderManual",
  "r/manual/render-blocks.ts renderBlocks": "is part of renderManual",
  "r/manual/render-blocks.ts renderLabeled": "is part of renderManual",
  "r/manual/render-inline.ts branchOf": "is part of renderManual",
  "r/manual/render-inline.ts renderInline": "is part of renderManual",
  "r/manual/render-inline.ts renderInlineNode": "is part of renderManual",
  "r/manual/render-inline.ts renderMath": "is part of renderManual",
  "r/manual/system-macros.ts systemMacros": "is part of renderManual",
  "r/manual/usage.ts usageText": "is part of renderManual",
  "r/manual/user-macros.ts expansionBudget": "computes a number",
  "r/package-archive.ts readBuiltTarget": "reads by readTarGz and readDescription",
  "r/package-archive.ts readRPackage": "reads by readTarGz and packageOfDescription",
  "r/packages-index.ts emptyColumn": "writes nothing of a package",
  "r/packages-index.ts packagesShard": "writes what packagesText writes",
  "r/rds.ts archiveRds": "joins bytes",
  "r/rds.ts archiveShard": "writes names that were read before",
  "r/rds.ts characters": "writes texts",
  "r/rds.ts packagesRds": "joins bytes",
  "r/vignettes.ts readVignette": "reads by tarMembers",
};

function times<T>(count: number, make: (index: number) => T): T[] {
  return Array.from({ length: Math.max(1, Math.floor(count)) }, (_, index) => make(index));
}

/** Stored, not compressed: decompression time is not the parser's. */
const gzipped = (bytes: Uint8Array): Uint8Array => gzipSync(bytes, { level: 0 });

/** A refusal is fine; anything else that is thrown is a crash, including a stack overflow. */
async function outcome(run: () => unknown): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (!(error instanceof UnacceptablePackage || error instanceof NoSimpleIndex)) throw error;
  }
}

function catching(run: () => unknown): void {
  try {
    run();
  } catch (error) {
    if (!(error instanceof UnacceptablePackage)) throw error;
  }
}

const texts = hostileTexts(isThorough);

describe("time grows in proportion to the text", { timeout: 600_000 }, () => {
  test.for(Object.entries(parsers).map(([parser, run], row) => [parser, run, row] as const))(
    "for %s",
    async ([, run, row]) => {
      for (const [index, { name, ofLength }] of texts.entries()) {
        // Each parser gets a twelfth of the texts, a different one than the parser before; all of them if there is time.
        if (!isThorough && (index + row) % 12 !== 0) continue;
        const largest = isThorough || index % 30 === 0 ? "1 MiB" : "128 KiB";
        const why = await disproportion(ofLength, (text) => outcome(() => run(text)), largest);
        expect([name, why]).toEqual([name, undefined]);
      }
    },
  );

  test.for(Object.entries(archives))("for %s", async ([, { make, run }]) => {
    const largest = isThorough ? "1 MiB" : "128 KiB";
    expect(await disproportion(make, async (bytes) => outcome(async () => run(await bytes)), largest)).toBeUndefined();
  });
});

test("every exported function is a parser with a row, or is exempt for a reason", async () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".ts") && !path.endsWith(".test.ts") && !path.includes("node_modules"),
  );
  const found: string[] = [];
  for (const path of files) {
    const module: Record<string, unknown> = await import(join(import.meta.dirname, path));
    for (const [name, value] of Object.entries(module)) {
      const isReader = typeof value === "object" && value !== null && "read" in value;
      const isClass = typeof value === "function" && /^class\b/.test(String(value));
      if ((typeof value === "function" && !isClass) || isReader) found.push(`${path} ${name}`);
    }
  }
  const rows = [...Object.keys(parsers), ...Object.keys(archives), ...Object.keys(notParsers)].filter(
    (row) => !row.includes(","),
  );
  expect(found.sort()).toEqual(rows.sort());
});
