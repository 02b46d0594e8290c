import type { Db } from "../db/database.ts";
import { createBlockCache } from "./block-cache.ts";
import { type IndexFile, rootKey, type Slice } from "./index-layout.ts";
import { type PageCoding, type PageForm, type PythonPart, pythonPage } from "./python-index.ts";
import { type RPart, rIndexFiles } from "./r-index.ts";
import { type PublishedRepository, publicationStore } from "./store.ts";

/** Finds the files of an index as they are at a repository's serial, and reads them. */
export interface IndexReader {
  /** By the address below the repository, such as `src/contrib/PACKAGES.gz`. */
  rFile(repository: PublishedRepository, path: string): Promise<IndexFile | undefined>;
  /** A project's page, or the list of projects when no project is named. */
  pythonPage(
    repository: PublishedRepository,
    project: string | undefined,
    form: PageForm,
    coding: PageCoding,
  ): Promise<IndexFile | undefined>;
  /** The bytes of a file, in chunks of a bearable size. */
  bytes(file: IndexFile): AsyncGenerator<Uint8Array>;
  /** The same at once when they are few and at hand. */
  bytesAtHand(file: IndexFile): Uint8Array | undefined;
  block(digest: string): Promise<Buffer | undefined>;
}

const cachedBytes = 48 * 1024 * 1024;
const cachedRIndexes = 50;
const cachedPages = 5000;
const blocksAtOnce = 100;

export function createIndexReader(db: Db): IndexReader {
  const store = publicationStore(db);
  const blocks = createBlockCache(cachedBytes);
  // What holds at a serial never changes, so these need no invalidation.
  const rFiles = createMemory<Map<string, IndexFile>>(cachedRIndexes);
  const pages = createMemory<PythonPart | null>(cachedPages);

  const load = async (digests: readonly string[]): Promise<ReadonlyMap<string, Buffer>> => {
    const found = new Map<string, Buffer>();
    const missing: string[] = [];
    for (const digest of new Set(digests)) {
      const bytes = blocks.get(digest);
      if (bytes) found.set(digest, bytes);
      else missing.push(digest);
    }
    if (missing.length > 0) {
      for (const [digest, bytes] of await store.blocks(missing)) {
        found.set(digest, bytes);
        blocks.put(digest, bytes);
      }
    }
    return found;
  };

  return {
    async rFile({ id, serial }, path) {
      if (!Object.hasOwn(rIndexFiles, path)) return undefined;
      const files = await rFiles.recall(`${id}/${serial}`, async () => {
        const rows = await store.partsAt(id, serial);
        if (!rows.some(({ key }) => key === rootKey)) return new Map();
        const parts = rows.flatMap(({ key, content }) => (key === rootKey ? [] : [content as RPart])); // as R's layout wrote it
        return new Map(
          Object.entries(rIndexFiles).flatMap(([path, assemble]) => {
            const file = assemble(parts);
            return file ? [[path, file]] : [];
          }),
        );
      });
      return files.get(path);
    },
    async pythonPage({ id, serial }, project, form, coding) {
      const part = await pages.recall(`${id}/${serial}/${project ?? ""}`, async () => {
        const content = await store.partAt(id, project ?? rootKey, serial);
        return content ? (content as PythonPart) : null; // as Python's layout wrote it
      });
      return part ? pythonPage(part, form, coding) : undefined;
    },
    async *bytes({ body }) {
      for (let start = 0; start < body.length; start += blocksAtOnce) {
        const some = body.slice(start, start + blocksAtOnce);
        const found = await load(some.flatMap((piece) => (piece instanceof Uint8Array ? [] : piece.digest)));
        yield Buffer.concat(
          some.map((piece) => (piece instanceof Uint8Array ? piece : cut(piece, found.get(piece.digest)))),
        );
      }
    },
    bytesAtHand({ body: [piece, ...more] }) {
      if (!piece || more.length > 0) return undefined;
      if (piece instanceof Uint8Array) return piece;
      const bytes = blocks.get(piece.digest);
      return bytes && cut(piece, bytes);
    },
    block: async (digest) => (await load([digest])).get(digest),
  };
}

function cut({ digest, offset, length }: Slice, bytes: Buffer | undefined): Buffer {
  if (!bytes) throw new Error(`no block ${digest}`);
  return bytes.subarray(offset, offset + length);
}

/** Remembers the last so many answers; callers that ask at the same time share one. */
function createMemory<Value>(most: number) {
  const known = new Map<string, Promise<Value>>();
  return {
    recall(key: string, find: () => Promise<Value>): Promise<Value> {
      const remembered = known.get(key);
      if (remembered) return remembered;
      const found = find();
      known.set(key, found);
      found.catch(() => known.delete(key));
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
      return found;
    },
  };
}
