import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { sha256 } from "../../records/index-layout.ts";
import type { ContentFile } from "../../records/store.ts";
import { sources } from "../../render/r-index.ts";
import type { RContent } from "../../serve/published-content.ts";
import {
  type Deletion,
  difference,
  type OnServer,
  type Page,
  type PageWriter,
  type PushPlan,
  type Upload,
} from "./push-plan.ts";
import type { OpenFile, PushedTechnology } from "./pushed-technology.ts";

const gzipAsync = promisify(gzip);

/** The path of a file in an R repository: `src/contrib/Archive/tidepool/tidepool_1.0.tar.gz`. */
interface RPlace {
  folder: string;
  archived: boolean;
  name: string;
}

function placeOf(path: string): RPlace {
  const [, folder = "", archive, name = path] = /^(.*?)(\/Archive(?:\/[^/]+)?)?\/([^/]+)$/.exec(path) ?? [];
  return { folder, archived: archive !== undefined, name };
}

/** The server cuts everything up to the first underscore. */
const prefixed = (folder: string, name: string): string => `${folder.replace(/[^A-Za-z0-9]/g, "")}_${name}`;

const isIndex = (path: string): boolean => /\/PACKAGES(\.gz)?$/.test(path);

export const rPush: PushedTechnology<"R"> = {
  async list(server) {
    const [version, ...recent] = await server.list();
    return { version: Number(version), listed: new Set([...recent, ...(await server.list("archive/"))]) };
  },
  plan,
  pages: () => pages,
  nothing: {
    technology: "R",
    files: [],
    withdrawn: [],
    folders: [],
    index: async () => undefined,
    open: () => Promise.reject(new Error("nothing is there to be read")),
    records: async () => new Uint8Array(),
  },
};

/** Packages whose names or bytes differ, and always the index of every folder. */
async function plan(content: RContent, onServer: OnServer, open: OpenFile): Promise<PushPlan> {
  const { deleted, added, replaced, complete } = difference(content.files, onServer);
  const deletions = deleted.map(deletionOf);
  const files = {
    added: added.map((file) => fileUpload(file, open)),
    replaced: replaced.map((file) => fileUpload(file, open)),
  };

  const everywhere = [
    ...content.files.map(({ path }) => path),
    ...onServer.listed,
    ...[...onServer.remembered.keys()].filter(isIndex),
  ].map(placeOf);
  const folders = new Set([...content.folders, sources, ...everywhere.map(({ folder }) => folder)]);
  folders.delete(""); // files next to the folders are not packages
  const archives = new Set(everywhere.filter(({ archived }) => archived).map(({ folder }) => folder));
  const touched = new Set(
    [...deleted, ...added.map(({ path }) => path), ...replaced.map(({ path }) => path)]
      .map(placeOf)
      .filter(({ archived }) => archived)
      .map(({ folder }) => folder),
  );

  const indexes = (await Promise.all([...folders].sort().map((folder) => liveIndex(folder, content)))).flat();
  const closing: Upload[] = [];
  for (const folder of [...archives].sort()) {
    const [plain, packed] = await archiveIndex(folder, content);
    indexes.push(packed);
    // The server lists an archive again when the last page names its folder.
    if (touched.has(folder)) closing.push(plain);
    else indexes.push(plain);
  }
  return { deletions, ...files, indexes, closing, complete };
}

function deletionOf(path: string): Deletion {
  const { folder, archived, name } = placeOf(path);
  return { field: archived ? "to_delete_archive" : "to_delete", name: prefixed(folder, name), folder, path };
}

function fileUpload(file: ContentFile, open: OpenFile): Upload {
  const { folder, archived, name } = placeOf(file.path);
  return {
    field: archived ? "files_archive" : "files",
    name: prefixed(folder, name),
    folder,
    sizeBytes: file.size,
    open: () => open.object(file.digest),
    stores: [file],
  };
}

/** A folder without packages keeps an empty index. */
async function liveIndex(folder: string, content: RContent): Promise<Upload[]> {
  return Promise.all(
    ["PACKAGES", "PACKAGES.gz"].map(async (name) => {
      const place = { folder, archived: false, name };
      const file = await content.index(`${folder}/${name}`);
      return file
        ? indexUpload(place, file, () => content.open(file))
        : bytesUpload(place, name === "PACKAGES" ? empty : await gzipAsync(empty));
    }),
  );
}

async function archiveIndex(folder: string, content: RContent): Promise<[plain: Upload, packed: Upload]> {
  const archived = content.files.filter(({ path }) => path.startsWith(`${folder}/Archive/`));
  const records = await content.records(archived);
  return [
    bytesUpload({ folder, archived: true, name: "PACKAGES" }, records),
    bytesUpload({ folder, archived: true, name: "PACKAGES.gz" }, await gzipAsync(records)),
  ];
}

const empty = new Uint8Array();

const bytesUpload = (place: RPlace, bytes: Uint8Array): Upload =>
  indexUpload(place, { digest: sha256(bytes), size: bytes.length }, async () => only(bytes));

const indexUpload = (
  { folder, archived, name }: RPlace,
  { digest, size }: Pick<ContentFile, "digest" | "size">,
  open: Upload["open"],
): Upload => ({
  field: archived ? "files_archive" : "files",
  name: prefixed(`${folder}${archived ? "archive" : "latest"}`, name),
  folder,
  sizeBytes: size,
  open,
  stores: [{ path: `${folder}/${archived ? "Archive/" : ""}${name}`, digest }],
});

async function* only(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const pages: PageWriter = {
  hash: "md5",
  fields(page, plan) {
    // An empty archive is cleaned up when the last page names it.
    const deletions = page.isLast ? plan.deletions : page.deletions;
    return [
      { name: "paths", json: foldersOf(page.uploads, "files") },
      { name: "paths_archive", json: foldersOf(page.uploads, "files_archive") },
      { name: "to_delete_paths", json: foldersOf(page.deletions, "to_delete") },
      { name: "to_delete_paths_archive", json: foldersOf(deletions, "to_delete_archive") },
    ];
  },
};

const foldersOf = (items: Page["uploads"] | Page["deletions"], field: string): Record<string, string> =>
  Object.fromEntries(items.filter((item) => item.field === field).map(({ name, folder }) => [name, folder]));
