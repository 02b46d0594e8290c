import { PassThrough, Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import type { HashMethod } from "@packhouse/contract/repositories";
import { fileNameInAddress, projectList, projectPage } from "@packhouse/formats/python/simple-index";
import { withoutTrailing } from "@packhouse/formats/trim-characters";
import { pack } from "tar-stream";
import type { CopiedRepository } from "../../records/copy.ts";
import { sha256 } from "../../records/index-layout.ts";
import type { ContentFile } from "../../records/store.ts";
import type { PythonContent } from "../../serve/published-content.ts";
import { difference, type OnServer, type PushPlan, type Upload } from "./push-plan.ts";
import type { OpenFile, PushedTechnology } from "./pushed-technology.ts";

/** Bytes of one archive, unless a single file has more. */
const bytesPerArchive = 400_000_000;

/** Increased when the page format changes, so that all pages are sent again. */
const pageForm = 1;

/** The root's page is sent under this name, so no project can have it. */
const rootName = "index";

/** `SHA224` is of the third generation on these servers. */
const hashes: Record<HashMethod, string> = {
  MD5: "md5",
  SHA1: "sha1",
  SHA224: "sha3-224",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512",
};

type Pages = Pick<CopiedRepository, "publicationUri">;

export const pythonPush: PushedTechnology<"Python"> = {
  async list(server) {
    const [version, ...listed] = await server.list();
    return { version: Number(version), listed: new Set(listed) };
  },
  plan,
  pages: (hashMethod) => ({
    hash: hashes[hashMethod],
    fields: () => [{ name: "hash_method", text: hashMethod }],
  }),
  nothing: {
    technology: "Python",
    files: [],
    withdrawn: [],
    projects: new Map(),
    filesOf: async () => [],
    metadata: () => Promise.reject(new Error("nothing is there to be read")),
  },
};

/** An archive for each project in which something changed, and always the list of projects. */
async function plan(content: PythonContent, onServer: OnServer, open: OpenFile, repository: Pages): Promise<PushPlan> {
  if (content.projects.has(rootName))
    throw new Error(
      `a project called ${rootName} cannot be pushed: its archive would be confused with the list of projects`,
    );
  const { deleted, added, replaced, complete } = difference(content.files, onServer);
  const base = basePath(repository);
  const changed = new Set([...deleted, ...[...added, ...replaced].map(({ path }) => path)].map(projectOf));
  const withPage = [...onServer.remembered.keys()].filter((path) => path.endsWith(pageFile)).map(projectOf);
  const projects = new Set([...changed, ...withPage, ...content.projects.keys()]);
  projects.delete("");

  const plan: { added: Upload[]; replaced: Upload[] } = { added: [], replaced: [] };
  const [addedTo, replacedIn] = [Map.groupBy(added, byProject), Map.groupBy(replaced, byProject)];
  for (const project of [...projects].sort()) {
    const page = projectPageOf(project, content, base);
    const isCurrent = onServer.remembered.get(page.path) === page.digest && !changed.has(project);
    if (isCurrent) continue;
    const [fresh, again] = [addedTo.get(project), replacedIn.get(project)];
    if (again) plan.replaced.push(...archives(project, page, again, open));
    // Also when only the page has changed.
    if (fresh || !again) plan.added.push(...archives(project, page, fresh ?? [], open));
  }
  return {
    deletions: deleted.map((path) => ({ field: "to_delete", name: path, folder: "", path })),
    ...plan,
    indexes: [],
    closing: [rootUpload([...content.projects.keys()].sort(), base)],
    complete,
  };
}

const pageFile = "/index.html";
const projectOf = (path: string): string => path.slice(0, Math.max(path.indexOf("/"), 0));
const byProject = ({ path }: ContentFile): string => projectOf(path);

/** Links are absolute paths without host, below the address that users see. */
const basePath = ({ publicationUri }: Pages): string =>
  `${withoutTrailing(new URL(publicationUri, "http://localhost/").pathname, "/")}/`;

interface ProjectPage {
  path: string;
  digest: string;
  html(): Promise<string>;
}

/** A project without files keeps a page, which is empty. */
function projectPageOf(project: string, content: PythonContent, base: string): ProjectPage {
  const digest = content.projects.get(project);
  return {
    path: project + pageFile,
    digest: sha256(`${digest ?? "empty"} ${base} ${pageForm}`),
    async html() {
      const addressOf = (fileName: string) => `${base}${project}/${fileNameInAddress(fileName)}`;
      const files = digest === undefined ? [] : await content.filesOf(project, addressOf);
      // Core metadata is not pushed, so nothing may point to it.
      return projectPage(
        project,
        files.map((file) => ({ ...file, coreMetadataSha256: null, statesVersion: true })),
      ).html;
    },
  };
}

/** Archives with the project's page and some of its files, more than one when they are large. */
function archives(project: string, page: ProjectPage, files: readonly ContentFile[], open: OpenFile): Upload[] {
  const groups: ContentFile[][] = [[]];
  let bytes = 0;
  for (const file of files) {
    if (bytes + file.size > bytesPerArchive && bytes > 0) {
      groups.push([]);
      bytes = 0;
    }
    groups.at(-1)?.push(file);
    bytes += file.size;
  }
  return groups.map((group) => ({
    field: "files",
    name: `${project}.tar.gz`,
    folder: "",
    sizeBytes: group.reduce((sum, { size }) => sum + size, 0),
    open: async () =>
      tarGz([
        ...group.map(({ path, size, digest }) => ({
          name: path.slice(project.length + 1),
          size,
          open: () => open.object(digest),
        })),
        textMember("index.html", await page.html()),
      ]),
    stores: [...group, page],
  }));
}

function rootUpload(projects: readonly string[], base: string): Upload {
  const { html } = projectList(projects, base);
  return {
    field: "files",
    name: `${rootName}.tar.gz`,
    folder: "",
    sizeBytes: html.length,
    open: async () => tarGz([textMember("index.html", html)]),
    stores: [],
  };
}

interface Member {
  name: string;
  size: number;
  open(): Promise<AsyncIterable<Uint8Array>>;
}

function textMember(name: string, text: string): Member {
  const bytes = Buffer.from(text);
  return { name, size: bytes.length, open: async () => Readable.from([bytes]) };
}

/** A flat archive, generated while it is read. */
function tarGz(members: readonly Member[]): AsyncIterable<Uint8Array> {
  const packed = pack();
  const out = new PassThrough();
  const fill = async () => {
    for (const { name, size, open } of members)
      await pipeline(await open(), packed.entry({ name, size, mtime: new Date(0) }));
    packed.finalize();
  };
  // Errors reach the reader.
  fill().catch((error: Error) => packed.destroy(error));
  pipeline(packed, createGzip({ level: 1 }), out).catch((error: Error) => out.destroy(error));
  return out;
}
