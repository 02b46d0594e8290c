import type { Db } from "../../platform/db/database.ts";
import { type Block, type PublicFile, partKey, type RenderedPart } from "../records/index-layout.ts";
import type { PublishedFile, PublishedRepository } from "../records/store.ts";
import { type PythonPart, pythonPage } from "../render/python-index.ts";
import { indexPlace, type RPart, rFolders, rIndexFile } from "../render/r-index.ts";
import { layouts } from "../render/render-repository.ts";
import { renderStore } from "../render/render-store.ts";
import { type IndexReader, inOrder } from "./index-reader.ts";
import { previewStore, type WaitingRelease } from "./preview-store.ts";

/** A repository as it will be once a waiting release is accepted. It exists for one request. */
export interface Preview {
  index: Pick<IndexReader, "rFile" | "rFolders" | "pythonPage" | "read" | "block">;
  /** A file at an address of the part of the index that the release changes. */
  file(path: string, digest?: string): PublishedFile | undefined;
}

/** Renders the part of the index that the release changes; everything else is what is served. */
export async function createPreview(
  { db, index }: { db: Db; index: IndexReader },
  repository: PublishedRepository,
  { normalizedName, added, replaced }: WaitingRelease,
): Promise<Preview | undefined> {
  const layout = layouts[repository.technology];
  const key = partKey(layout, normalizedName);
  const as = await previewStore(db).renderedAs(repository.id);
  if (!as) return undefined;
  const packages = await renderStore(db).packagesOf(repository.id, { layout, as }, [key], { added, replaced });
  const part = await layout.renderPart(as, packages.get(key) ?? []);
  const blocks = new Map(part.blocks.map(({ digest, bytes }) => [digest, Buffer.from(bytes)]));
  const files = new Map(part.files.map((file) => [file.path, file]));
  return {
    index: { ...indexes[repository.technology]({ index, key, part, blocks }), ...readingOf(index, blocks) },
    file(path, digest) {
      const file = files.get(path);
      return file && (digest === undefined || digest === file.digest) ? published(file) : undefined;
    },
  };
}

const published = ({ digest, size, metadataDigest }: PublicFile): PublishedFile => ({
  digest,
  size,
  metadataDigest,
  purged: false,
});

/** Rendered blocks come before stored ones; they are not kept. */
const readingOf = (index: IndexReader, blocks: ReadonlyMap<string, Buffer>): Pick<IndexReader, "read" | "block"> => ({
  read: (file) => index.read(file, blocks),
  block: async (digest) => blocks.get(digest) ?? index.block(digest),
});

interface Changed {
  index: IndexReader;
  key: string;
  part: RenderedPart;
  blocks: Map<string, Buffer>;
}

type Forms = Pick<IndexReader, "rFile" | "rFolders" | "pythonPage">;
const nothing: Forms = {
  rFile: async () => undefined,
  rFolders: async () => [],
  pythonPage: async () => undefined,
};

function rForms({ index, key, part }: Changed): Forms {
  const parts = async (repository: { id: number; serial: number }) => {
    const served = await index.rParts(repository);
    return served && inOrder(new Map([...served, [key, part.content as RPart]])); // as R's layout has just written it
  };
  return {
    ...nothing,
    async rFile(repository, path) {
      const place = indexPlace(path);
      const all = place && (await parts(repository));
      return place && all && rIndexFile(all, place);
    },
    rFolders: async (repository) => rFolders((await parts(repository)) ?? []),
  };
}

function pythonForms({ index, key, part, blocks }: Changed): Forms {
  return {
    ...nothing,
    async pythonPage(repository, project, form, coding) {
      if (project === key) return pythonPage(part.content as PythonPart, form, coding); // as Python's layout has just written it
      const served = await index.pythonPage(repository, project, form, coding);
      if (!served || project !== undefined) return served;
      const root = await index.pythonListWith(repository, key);
      if (!root) return served;
      for (const { digest, bytes } of root.blocks satisfies Block[]) blocks.set(digest, Buffer.from(bytes));
      return pythonPage(root.content as PythonPart, form, coding); // the same layout
    },
  };
}

const indexes: Record<PublishedRepository["technology"], (changed: Changed) => Forms> = {
  R: rForms,
  Python: pythonForms,
};
