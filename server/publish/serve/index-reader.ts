import { Readable } from "node:stream";
import type { Db } from "../../platform/db/database.ts";
import { createBlockCache } from "../../platform/storage/memory/block-cache.ts";
import { type IndexFile, rootKey } from "../records/index-layout.ts";
import type { PublishedRepositories } from "../records/published-repositories.ts";
import { type PublishedRepository, publicationStore } from "../records/store.ts";
import { type PageCoding, type PageForm, type PythonPart, pythonLayout, pythonPage } from "../render/python-index.ts";
import { indexPlace, type RPart, rFolders, rIndexFile } from "../render/r-index.ts";
import type { KnownAnswers } from "./known-answers.ts";

type AtSerial = Pick<PublishedRepository, "id" | "serial">;

/** Finds the files of an index as they are at a repository's serial, and reads them. */
export interface IndexReader {
  /** By the address below the repository, such as `src/contrib/PACKAGES.gz`. */
  rFile(repository: AtSerial, path: string): Promise<IndexFile | undefined>;
  /** A project's page, or the list of projects when no project is named. */
  pythonPage(
    repository: AtSerial,
    project: string | undefined,
    form: PageForm,
    coding: PageCoding,
  ): Promise<IndexFile | undefined>;
  /** Folders of an R repository that have an index. */
  rFolders(repository: AtSerial): Promise<string[]>;
  /** The parts of an R index by key; undefined if the repository is not published. */
  rParts(repository: AtSerial): Promise<ReadonlyMap<string, RPart> | undefined>;
  /** The projects of a Python repository, each with a digest that is equal for equal pages. */
  pythonProjects(repository: AtSerial): Promise<ReadonlyMap<string, string>>;
  /** The list of projects with one that is not in it; undefined if it is. */
  pythonListWith(repository: AtSerial, project: string): Promise<PythonList | undefined>;
  /**
   * The bytes of a file: all together, or as a stream if there are many. Blocks that are not stored are given; then
   * nothing is kept.
   */
  read(file: IndexFile, given?: ReadonlyMap<string, Buffer>): Promise<Uint8Array> | Readable;
  block(digest: string): Promise<Buffer | undefined>;
  /** The bytes that were read before, as long as they are cached. */
  inMemory(digest: string): Buffer | undefined;
}

const mebibyte = 1024 * 1024;
const cachedBytes = 48 * mebibyte;
const cachedIndexes = 50;
const cachedPages = 5000;
const cachedPastIndexes = 20;
/** A list has a few megabytes. */
const cachedLists = 4;
/** Larger files are assembled while being sent. */
const largestWhole = 8 * mebibyte;
const piecesAtOnce = 100;

/** A list of projects that is not stored. */
type PythonList = Awaited<ReturnType<(typeof pythonLayout)["renderRoot"]>>;

/** The index of an R repository at a serial. */
interface RIndex {
  parts: ReadonlyMap<string, RPart>;
  /** Existing files that were already requested, by address. */
  files: Map<string, IndexFile>;
}

export function createIndexReader(db: Db): IndexReader {
  const store = publicationStore(db);
  const blocks = createBlockCache(cachedBytes);
  // The content of a serial never changes, so nothing here ever becomes invalid.
  const rIndexes = createMemory<number, { serial: number; index: Promise<RIndex> }>(cachedIndexes);
  const pastRIndexes = createMemory<string, Promise<RIndex>>(cachedPastIndexes);
  const pages = createMemory<string, Promise<PythonPart | null>>(cachedPages);
  const lists = createMemory<string, Promise<PythonList | undefined>>(cachedLists);
  /** Files that are being read, by digest: after a change, many clients ask for the same one. */
  const assembling = new Map<string, Promise<Buffer>>();

  async function renderedWith(id: number, serial: number, project: string): Promise<PythonList | undefined> {
    const names = (await store.partsAt(id, serial)).map(({ key }) => key).filter((key) => key !== rootKey);
    if (names.includes(project)) return undefined;
    const inBytes = [...names, project].map((name) => Buffer.from(name)).sort(Buffer.compare);
    return pythonLayout.renderRoot(async () => inBytes.map(String));
  }

  /** Reads only what has changed since the remembered serial. */
  function rIndexAt(id: number, serial: number): Promise<RIndex> {
    const known = rIndexes.get(id);
    if (known?.serial === serial) return known.index;
    const past = known && known.serial > serial ? `${id}/${serial}` : undefined;
    const remembered = past === undefined ? undefined : pastRIndexes.get(past);
    if (remembered) return remembered;
    const from = known && known.serial < serial ? known : undefined;
    const read = async (): Promise<RIndex> => {
      const base = await from?.index.catch(() => undefined);
      const parts = new Map(base?.parts);
      for (const key of from && base ? await store.keysEnded(id, from.serial, serial) : []) parts.delete(key);
      const since = base && from?.serial;
      for (const { key, content } of await store.partsAt(id, serial, since)) parts.set(key, content as RPart); // as R's layout wrote it
      return { parts, files: new Map() };
    };
    const index = read();
    if (past === undefined) rIndexes.put(id, { serial, index }, index);
    else void pastRIndexes.put(past, index);
    return index;
  }

  const load = async (
    body: IndexFile["body"],
    given?: ReadonlyMap<string, Buffer>,
  ): Promise<ReadonlyMap<string, Buffer>> => {
    const found = new Map<string, Buffer>();
    const missing = new Set<string>();
    for (const piece of body) {
      if (piece instanceof Uint8Array || found.has(piece.digest)) continue;
      const bytes = given?.get(piece.digest) ?? blocks.get(piece.digest);
      if (bytes) found.set(piece.digest, bytes);
      else missing.add(piece.digest);
    }
    if (missing.size === 0) return found;
    for (const [digest, bytes] of await store.blocks([...missing])) {
      found.set(digest, bytes);
      blocks.put(digest, bytes);
    }
    return found;
  };

  const assembled = async ({ digest, size, body }: IndexFile): Promise<Buffer> => {
    const bytes = joined(body, await load(body), size);
    blocks.put(digest, bytes);
    return bytes;
  };

  const whole = async (file: IndexFile): Promise<Buffer> => {
    const { digest } = file;
    const known = blocks.get(digest) ?? assembling.get(digest);
    if (known) return known;
    const bytes = assembled(file).finally(() => assembling.delete(digest));
    assembling.set(digest, bytes);
    return bytes;
  };

  async function* inChunks({ body }: IndexFile, given?: ReadonlyMap<string, Buffer>): AsyncGenerator<Uint8Array> {
    for (let start = 0; start < body.length; start += piecesAtOnce) {
      const some = body.slice(start, start + piecesAtOnce);
      yield joined(some, await load(some, given), sizeOf(some));
    }
  }

  return {
    async rFile({ id, serial }, path) {
      const place = indexPlace(path);
      if (!place) return undefined;
      const { parts, files } = await rIndexAt(id, serial);
      if (!parts.has(rootKey)) return undefined;
      const known = files.get(path);
      if (known) return known;
      const file = rIndexFile(inOrder(parts), place);
      if (file) files.set(path, file);
      return file;
    },
    async pythonPage({ id, serial }, project, form, coding) {
      const key = `${id}/${serial}/${project ?? ""}`;
      const part = await (pages.get(key) ??
        pages.put(
          key,
          store.partAt(id, project ?? rootKey, serial).then((content) => (content ? (content as PythonPart) : null)), // as Python's layout wrote it
        ));
      return part ? pythonPage(part, form, coding) : undefined;
    },
    async rFolders({ id, serial }) {
      const { parts } = await rIndexAt(id, serial);
      return parts.has(rootKey) ? rFolders(inOrder(parts)) : [];
    },
    async rParts({ id, serial }) {
      const { parts } = await rIndexAt(id, serial);
      return parts.has(rootKey) ? parts : undefined;
    },
    async pythonProjects({ id, serial }) {
      const parts = await store.partsAt(id, serial);
      const projects = parts.filter(({ key }) => key !== rootKey);
      return new Map(projects.map(({ key, content }) => [key, (content as PythonPart).json.identity.digest])); // as Python's layout wrote it
    },
    async pythonListWith({ id, serial }, project) {
      // Readers of a preview ask for it again and again, and it takes long where there are many projects.
      const key = `${id}/${serial}/${project}`;
      return lists.get(key) ?? lists.put(key, renderedWith(id, serial, project));
    },
    read(file, given) {
      if (file.size > largestWhole) return Readable.from(inChunks(file, given));
      return given ? load(file.body, given).then((found) => joined(file.body, found, file.size)) : whole(file);
    },
    inMemory: (digest) => blocks.get(digest),
    async block(digest) {
      const slice = { digest, offset: 0, length: 0 };
      return (await load([slice])).get(digest);
    },
  };
}

/** The parts of an R index without the one that represents the repository. */
export function inOrder(parts: ReadonlyMap<string, RPart>): RPart[] {
  const keys = [...parts.keys()].filter((key) => key !== rootKey).sort();
  return keys.flatMap((key) => parts.get(key) ?? []);
}

const sizeOf = (body: IndexFile["body"]): number => body.reduce((sum, { length }) => sum + length, 0);

function joined(body: IndexFile["body"], blocks: ReadonlyMap<string, Buffer>, size: number): Buffer {
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  for (const piece of body) {
    if (piece instanceof Uint8Array) bytes.set(piece, at);
    else {
      const block = blocks.get(piece.digest);
      if (!block) throw new Error(`no block ${piece.digest}`);
      block.copy(bytes, at, piece.offset, piece.offset + piece.length);
    }
    at += piece.length;
  }
  return bytes;
}

/** Caches the latest answers from the moment they are requested; failures are not cached. */
function createMemory<Key, Value>(most: number) {
  const known = new Map<Key, Value>();
  return {
    get: (key: Key) => known.get(key),
    /** `answer` is what can fail, if the value is something else. */
    put<Given extends Value>(key: Key, value: Given, answer: unknown = value): Given {
      known.delete(key);
      known.set(key, value);
      Promise.resolve(answer).catch(() => known.get(key) === value && known.delete(key));
      for (const oldest of known.keys()) {
        if (known.size <= most) break;
        known.delete(oldest);
      }
      return value;
    },
  };
}

/** What the routes serve from. */
export interface Published {
  answers: KnownAnswers;
  repositories: PublishedRepositories;
  index: IndexReader;
}
