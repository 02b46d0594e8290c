import { text } from "node:stream/consumers";
import type { Technology } from "@packhouse/contract/technology";
import { fileNameInAddress, projectList, projectPage } from "@packhouse/formats/python/simple-index";
import type { ObjectStorage } from "../../../platform/storage/storage.ts";
import { sha256 } from "../../records/index-layout.ts";
import type { ContentFile } from "../../records/store.ts";
import { indexNames, sources } from "../../render/r-index.ts";
import type { PublishedContent, PythonContent, RContent } from "../../serve/published-content.ts";
import { type ExportedFile, writeSynced } from "./version-folder.ts";

/** Increased when the page format changes: the keys change with it. */
const pageForm = 1;

type FilesOf<T extends Technology> = (
  content: PublishedContent<T>,
  storage: ObjectStorage,
) => AsyncIterable<ExportedFile>;
const filesOf: { [T in Technology]: FilesOf<T> } = { R: rFiles, Python: pythonFiles };

/** Every file of a repository as a plain web server can serve it. */
export const exportedFiles = <T extends Technology>(
  content: PublishedContent<T>,
  storage: ObjectStorage,
): AsyncIterable<ExportedFile> => filesOf[content.technology](content, storage);

/** CRAN's layout. */
async function* rFiles(content: RContent, storage: ObjectStorage): AsyncGenerator<ExportedFile> {
  for (const file of [...content.files, ...content.withdrawn]) yield packageFile(file.path, file, storage);
  yield* standIns(content, storage);
  for (const folder of content.folders)
    for (const name of indexNames) {
      const path = `${folder}/${name}`;
      const file = await content.index(path);
      if (file)
        yield { path, key: `index ${file.digest}`, writeTo: async (to) => writeSynced(to, await content.open(file)) };
    }
}

/**
 * Sources that the index of a folder of binaries lists in place of binaries (`redirectToSource`). This server finds
 * them by itself; elsewhere they have to be in that folder, too.
 */
async function* standIns(content: RContent, storage: ObjectStorage): AsyncGenerator<ExportedFile> {
  const files = new Map(content.files.map((file) => [file.path, file]));
  const taken = new Set([...files.keys(), ...content.withdrawn.map(({ path }) => path)]);
  for (const folder of content.folders.filter((folder) => folder !== sources)) {
    const index = await content.index(`${folder}/PACKAGES`);
    const records = index ? await text(await content.open(index)) : "";
    for (const [, name, version] of records.matchAll(/^Package: (.*)\nVersion: (.*)$/gm)) {
      const fileName = `${name}_${version}.tar.gz`;
      const source = files.get(`${sources}/${fileName}`);
      if (source && !taken.has(`${folder}/${fileName}`)) yield packageFile(`${folder}/${fileName}`, source, storage);
    }
  }
}

/** The simple repository API in HTML, each file next to its project's page. */
async function* pythonFiles(content: PythonContent, storage: ObjectStorage): AsyncGenerator<ExportedFile> {
  for (const file of [...content.files, ...content.withdrawn]) {
    const path = `simple/${file.path}`;
    yield packageFile(path, file, storage);
    const { metadataDigest } = file;
    if (metadataDigest === null) continue;
    yield {
      path: `${path}.metadata`,
      key: `metadata ${metadataDigest}`,
      writeTo: async (to) => writeSynced(to, await content.metadata(metadataDigest)),
    };
  }
  for (const [project, digest] of content.projects)
    yield {
      path: `simple/${project}/index.html`,
      key: `page ${digest} ${pageForm}`,
      writeTo: async (to) => {
        const { html } = projectPage(project, await content.filesOf(project, fileNameInAddress));
        await writeSynced(to, Buffer.from(html));
      },
    };
  const { html } = projectList([...content.projects.keys()].sort());
  yield { path: "simple/index.html", key: `list ${sha256(html)}`, writeTo: (to) => writeSynced(to, Buffer.from(html)) };
}

const packageFile = (path: string, { digest }: ContentFile, storage: ObjectStorage): ExportedFile => ({
  path,
  key: `file ${digest}`,
  writeTo: (to) => storage.placeAt(digest, to),
});
