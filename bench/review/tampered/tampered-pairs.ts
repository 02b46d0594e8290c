import type { Technology } from "@packhouse/contract/technology";
import { type Member, member, tarGzOfFolder, zip } from "@packhouse/fixtures/archive-writing";
import { record } from "@packhouse/fixtures/python-project";
import { bytesOf } from "@packhouse/formats/byte-source";
import { inspectionLimits } from "@packhouse/inspection/limits";
import { archiveMembers } from "@packhouse/inspection/reading/members";
import type { Archive, Pair } from "../pairs.ts";
import { pythonBase, rBase } from "./bases.ts";
import type { Change, Pattern } from "./change.ts";
import { furtherPythonVariants, furtherRVariants } from "./further-variants.ts";
import { laterPythonVariants, laterRVariants } from "./later-variants.ts";
import { pythonPatterns } from "./python.ts";
import { rPatterns } from "./r.ts";
import { pythonVariants, rVariants } from "./variants.ts";

/** A clean release as its files. */
interface Release {
  technology: Technology;
  kind: "source" | "binary";
  name: string;
  version: string;
  /** Where its modules are: `src/click`. */
  folder: string;
  files: ReadonlyMap<string, Uint8Array>;
}

const patternsOf: Record<Technology, Readonly<Record<string, Pattern>>> = {
  R: { ...rPatterns, ...rVariants, ...laterRVariants, ...furtherRVariants },
  Python: { ...pythonPatterns, ...pythonVariants, ...laterPythonVariants, ...furtherPythonVariants },
};

/** Each pattern in our own clean releases, and in one of these. */
export async function* tamperedPairs(real: readonly Archive[]): AsyncGenerator<Pair> {
  const own = ownReleases();
  const others: Release[] = [];
  for (const archive of real) others.push(await releaseOf(archive));
  for (const [technology, patterns] of Object.entries(patternsOf))
    for (const [index, [name, pattern]] of Object.entries(patterns).entries()) {
      const fits = (one: Release) =>
        one.technology === technology && (pattern.only === undefined || pattern.only === one.kind);
      const fitting = others.filter(fits);
      const chosen = [...own.filter(fits), ...fitting.slice(index % Math.max(fitting.length, 1)).slice(0, 1)];
      for (const release of chosen) yield await pairOf(name, release, pattern.change);
    }
}

function ownReleases(): Release[] {
  const version = "1.4.2";
  const python = { technology: "Python", name: "harborlog", version, folder: "harborlog" } as const;
  const wheelFiles = [...filesOf(pythonBase)].filter(([path]) => path.startsWith("harborlog/"));
  const info = "harborlog-1.4.2.dist-info";
  const metadata = filesOf(pythonBase).get("PKG-INFO") ?? Buffer.alloc(0);
  const infoFiles = [
    [`${info}/METADATA`, metadata],
    [`${info}/WHEEL`, Buffer.from("Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")],
  ] as const;
  return [
    { ...python, kind: "source", files: filesOf(pythonBase) },
    { ...python, kind: "binary", files: new Map([...wheelFiles, ...infoFiles]) },
    { technology: "R", kind: "source", name: "tideline", version, folder: "R", files: filesOf(rBase) },
  ];
}

const filesOf = (change: Change): Map<string, Uint8Array> => changed(new Map(), change, (path) => path);

async function releaseOf(archive: Archive): Promise<Release> {
  const files = new Map<string, Uint8Array>();
  const source = bytesOf(await archive.bytes());
  for await (const one of archiveMembers(source, archive.fileName, inspectionLimits)) {
    if (one.linkTarget !== null) continue;
    const pieces: Uint8Array[] = [];
    for await (const piece of one.pieces()) pieces.push(piece);
    files.set(one.path, Buffer.concat(pieces));
  }
  const [name = "", version = ""] = archive.fileName.replace(".tar.gz", "").split(/[-_](?=[0-9])|-py3/);
  const inits = [...files.keys()].filter((path) => path.endsWith("/__init__.py") && !/^(tests?|docs)\//.test(path));
  const first = inits.sort((a, b) => a.length - b.length)[0] ?? "";
  return { ...archive, name, version, folder: first.replace("/__init__.py", ""), files };
}

async function pairOf(name: string, release: Release, change: Change): Promise<Pair> {
  const version = release.version.replace(/[0-9]+$/, (last) => String(Number(last) + 1));
  const metadata = metadataPathOf(release);
  const info = metadata.slice(0, Math.max(metadata.lastIndexOf("/"), 0));
  const pathOf = (path: string) =>
    path
      .replace("{package}", release.folder)
      .replace("{metadata}", metadata)
      .replace("{info}", info)
      .replace("{data}", info.replace(".dist-info", ".data"));
  const files = changed(release.files, { ...change, ...newVersion(release, change, version) }, pathOf);
  const what = `${name} (${release.name} ${release.kind})`;
  return { name: what, before: packed(release), after: packed({ ...release, version, files }) };
}

const metadataPathOf = ({ technology, kind, files }: Release): string => {
  if (technology === "R") return "DESCRIPTION";
  return kind === "source" ? "PKG-INFO" : ([...files.keys()].find((path) => path.endsWith("/METADATA")) ?? "");
};

/** A release of another version, whatever else it changes. */
function newVersion(release: Release, change: Change, version: string): Change {
  const key = release.technology === "R" ? "DESCRIPTION" : "{metadata}";
  const other = change[key];
  return {
    [key]: (text) => {
      const changedText = typeof other === "function" ? other(text) : text;
      return changedText.replace(/^Version: .*$/m, `Version: ${version}`);
    },
  };
}

function changed(
  files: ReadonlyMap<string, Uint8Array>,
  change: Change,
  pathOf: (path: string) => string,
): Map<string, Uint8Array> {
  const result = new Map(files);
  for (const [template, content] of Object.entries(change)) {
    const path = pathOf(template);
    const old = Buffer.from(result.get(path) ?? []).toString();
    const now = typeof content === "function" ? content(old) : content;
    result.set(path, typeof now === "string" ? Buffer.from(now) : now);
  }
  return result;
}

const packedAt = new Date("2026-02-03T04:05:06Z");

function packed({ technology, kind, name, version, files }: Release): Archive {
  const members = [...files].map(([path, bytes]): Member => ({ path, bytes }));
  if (kind === "binary") {
    const info = (members.find(({ path }) => path.endsWith("/METADATA"))?.path ?? "").replace("/METADATA", "");
    const own = members.filter(({ path }) => path !== `${info}/RECORD`);
    const all = [...own, member(`${info}/RECORD`, record(own, `${info}/RECORD`))];
    return { technology, kind, fileName: `${name}-${version}-py3-none-any.whl`, bytes: () => zip(all) };
  }
  const separator = technology === "R" ? "_" : "-";
  const fileName = `${name}${separator}${version}.tar.gz`;
  const top = technology === "R" ? name : `${name}-${version}`;
  return { technology, kind, fileName, bytes: () => tarGzOfFolder(top, members, packedAt) };
}
