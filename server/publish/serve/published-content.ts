import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import type { Technology } from "@packhouse/contract/technology";
import { partsOfSdistName } from "@packhouse/formats/python/sdist";
import type { SimpleFile } from "@packhouse/formats/python/simple-index";
import { partsOfWheelName } from "@packhouse/formats/python/wheel";
import { packagesText } from "@packhouse/formats/r/packages-index";
import { z } from "zod";
import type { Db } from "../../platform/db/database.ts";
import type { CopiedRepository } from "../records/copy.ts";
import type { IndexFile } from "../records/index-layout.ts";
import { type ContentFile, graceMs, publicationStore } from "../records/store.ts";
import { indexed } from "../render/r-index.ts";
import type { IndexReader } from "./index-reader.ts";

interface Contents {
  R: RContent;
  Python: PythonContent;
}
/** What a repository serves at a serial, for copying it elsewhere. */
export type PublishedContent<T extends Technology = Technology> = { [K in T]: { technology: K } & Contents[K] }[T];
type ContentOfIndex<T extends Technology> = Omit<Contents[T], "files" | "withdrawn">;

export interface RContent {
  files: readonly ContentFile[];
  /** Files that the index stopped naming recently, which clients may still request. */
  withdrawn: readonly ContentFile[];
  /** Folders that have an index: `src/contrib`, then those of binaries. */
  folders: readonly string[];
  /** A file of an index by its path below the repository; undefined if there is none. */
  index(path: string): Promise<IndexFile | undefined>;
  open(file: IndexFile): Promise<Readable>;
  /** DCF records of files, for indexes that this server itself does not have. */
  records(files: readonly ContentFile[]): Promise<Uint8Array>;
}

export interface PythonContent {
  files: readonly ContentFile[];
  /** As with R. */
  withdrawn: readonly ContentFile[];
  /** Each project with a digest that is equal for equal pages. */
  projects: ReadonlyMap<string, string>;
  /** The files on a project's page, with the addresses that the caller gives them. */
  filesOf(project: string, addressOf: (fileName: string) => string): Promise<SimpleFile[]>;
  /** The core metadata served next to a file. */
  metadata(digest: string): Promise<Uint8Array>;
}

/** All bytes of a file of an index. */
export async function indexBytes(index: IndexReader, file: IndexFile): Promise<Uint8Array> {
  const read = index.read(file);
  return read instanceof Readable ? buffer(read) : read;
}

/** Packages whose records are in memory at once. */
const recordsAtOnce = 1000;

export async function publishedContent(
  db: Db,
  index: IndexReader,
  repository: CopiedRepository,
  now: Date,
): Promise<PublishedContent> {
  const { id, serial, technology } = repository;
  const store = publicationStore(db);
  const files = await store.filesAt(id, serial);
  const withdrawn = await store.filesWithdrawn(id, serial, new Date(now.getTime() - graceMs));
  return contents[technology]({ db, index, repository, files: { files, withdrawn } });
}

interface Reading {
  db: Db;
  index: IndexReader;
  repository: CopiedRepository;
  files: Pick<RContent, "files" | "withdrawn">;
}

const contents: { [T in Technology]: (reading: Reading) => Promise<PublishedContent<T>> } = {
  R: async ({ files, ...reading }) => ({ technology: "R", ...files, ...(await rContent(reading)) }),
  Python: async ({ files, ...reading }) => ({ technology: "Python", ...files, ...(await pythonContent(reading)) }),
};

async function rContent({
  db,
  index,
  repository: { id, serial },
}: Omit<Reading, "files">): Promise<ContentOfIndex<"R">> {
  return {
    folders: await index.rFolders({ id, serial }),
    index: (path) => index.rFile({ id, serial }, path),
    async open(file) {
      const read = index.read(file);
      return read instanceof Readable ? read : Readable.from([Buffer.from(await read)]);
    },
    async records(some) {
      const texts: Uint8Array[] = [];
      const digests = some.map(({ digest }) => digest);
      for (let start = 0; start < digests.length; start += recordsAtOnce) {
        const packages = await publicationStore(db).rPackagesOf(id, digests.slice(start, start + recordsAtOnce));
        texts.push(packagesText(packages.map(indexed)));
      }
      return Buffer.concat(texts);
    },
  };
}

/** A file as listed on our own pages; `filesOf` reads those rather than the records, which may be ahead of them. */
const pageFiles = z.object({
  files: z.array(
    z.object({
      filename: z.string(),
      hashes: z.record(z.string(), z.string()),
      "requires-python": z.string().nullable().default(null),
      "core-metadata": z.union([z.literal(false), z.object({ sha256: z.string() })]),
      size: z.number(),
      "upload-time": z.string(),
    }),
  ),
});

async function pythonContent({
  index,
  repository: { id, serial, hashMethod },
}: Omit<Reading, "files">): Promise<ContentOfIndex<"Python">> {
  return {
    projects: await index.pythonProjects({ id, serial }),
    async metadata(digest) {
      const bytes = await index.block(digest);
      if (!bytes) throw new Error(`no block ${digest}`);
      return bytes;
    },
    async filesOf(project, addressOf) {
      const page = await index.pythonPage({ id, serial }, project, "json", "identity");
      if (!page) throw new Error(`the project ${project} has no page`);
      const text = Buffer.from(await indexBytes(index, page)).toString();
      return pageFiles.parse(JSON.parse(text)).files.map((file) => ({
        fileName: file.filename,
        url: addressOf(file.filename),
        version: versionOf(file.filename),
        hashes: file.hashes,
        fragmentHash: hashMethod.toLowerCase(),
        requiresPython: file["requires-python"],
        size: file.size,
        uploadTime: new Date(file["upload-time"]),
        coreMetadataSha256: file["core-metadata"] ? file["core-metadata"].sha256 : null,
      }));
    },
  };
}

/** Of any served file; mirrored ones may be a zip. */
const versionOf = (fileName: string): string =>
  (fileName.endsWith(".whl") ? partsOfWheelName(fileName) : partsOfSdistName(fileName, true)).version;
