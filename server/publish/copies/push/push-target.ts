import type { HashMethod } from "@packhouse/contract/repositories";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Db } from "../../../platform/db/database.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { ObjectStorage } from "../../../platform/storage/storage.ts";
import type { CopiedRepository, Copy } from "../../records/copy.ts";
import type { PublishedContent } from "../../serve/published-content.ts";
import type { PublicationTarget } from "../publication-target.ts";
import { isListedOrigin } from "./listed-origin.ts";
import { formOf, type OnServer, type PageWriter, type PushPlan, pagesOf } from "./push-plan.ts";
import { listPython, planPython, pythonPages } from "./push-python.ts";
import { listR, planR, rPages } from "./push-r.ts";
import { pushedFiles } from "./pushed-file-store.ts";
import { type RepositoryServer, repositoryServer } from "./repository-server.ts";

interface Ground {
  db: Db;
  storage: ObjectStorage;
  settings: Pick<Settings, "publication.targets">;
}

/** Reads package files that are pushed. */
export interface OpenFile {
  object(digest: string): Promise<AsyncIterable<Uint8Array>>;
}

type Described = Pick<CopiedRepository, "publicationUri" | "hashMethod">;

/** Repository servers that speak RDepot's push protocol. Only those of listed origins are ever called. */
export function pushTarget({ db, storage, settings }: Ground): PublicationTarget {
  const open: OpenFile = { object: (digest) => storage.read(digest) };
  return {
    name: "server",
    placeOf: ({ server_address, technology }) =>
      isListedOrigin(server_address, settings["publication.targets"])
        ? pushAddress(server_address, technology)
        : undefined,
    async deliver(copy, repository, content) {
      if (!isListedOrigin(copy.place, settings["publication.targets"]))
        throw new Error(`the settings do not list the origin of ${copy.place}`);
      await push(db, open, copy, repository, content);
      return { withdrawnToo: false };
    },
    async withdraw(copy) {
      if (!isListedOrigin(copy.place, settings["publication.targets"])) return;
      await push(db, open, copy, nobody, emptyContent[copy.technology]);
    },
  };
}

/** The technology goes before the repository's name, unless it is there. */
export function pushAddress(serverAddress: string, technology: Technology): string | undefined {
  const url = new URL(serverAddress);
  const segments = url.pathname.split("/").filter(Boolean);
  const name = segments.pop();
  if (name === undefined) return undefined;
  if (segments.at(-1) !== technologyPath[technology]) segments.push(technologyPath[technology]);
  return `${url.origin}/${[...segments, name].join("/")}/`;
}

/** Until the server has everything: one push can carry only so many deletions. Each begins with the server's own list. */
async function push(
  db: Db,
  open: OpenFile,
  copy: Copy,
  repository: Described,
  content: PublishedContent,
): Promise<void> {
  const server = repositoryServer(copy.place);
  const files = pushedFiles(db, copy.id);
  for (let complete = false; !complete; ) {
    const { version, listed } = await list[copy.technology](server);
    if (!Number.isInteger(version)) throw new Error(`${copy.place} does not say its version`);
    const { plan, writer } = await planOf(content, { listed, remembered: await files.all() }, open, repository);
    await server.push(
      version,
      pagesOf(plan).map((page) => formOf(page, plan, writer)),
    );
    await files.change(
      plan.deletions.map(({ path }) => path),
      [...plan.added, ...plan.replaced, ...plan.indexes, ...plan.closing].flatMap(({ stores }) => stores),
    );
    complete = plan.complete;
  }
}

const list: Record<Technology, (server: RepositoryServer) => Promise<{ version: number; listed: Set<string> }>> = {
  R: listR,
  Python: listPython,
};

async function planOf(
  content: PublishedContent,
  onServer: OnServer,
  open: OpenFile,
  repository: Described,
): Promise<{ plan: PushPlan; writer: PageWriter }> {
  return content.technology === "R"
    ? { plan: await planR(content, onServer, open), writer: rPages }
    : {
        plan: await planPython(content, onServer, open, repository),
        writer: pythonPages(repository.hashMethod),
      };
}

/** Stands for a repository that may be gone. */
const nobody: Described = { publicationUri: "http://localhost/", hashMethod: "SHA256" satisfies HashMethod };

const emptyContent: Record<Technology, PublishedContent> = {
  R: {
    technology: "R",
    files: [],
    withdrawn: [],
    folders: [],
    index: async () => undefined,
    open: () => Promise.reject(new Error("nothing is there to be read")),
    records: async () => new Uint8Array(),
  },
  Python: {
    technology: "Python",
    files: [],
    withdrawn: [],
    projects: new Map(),
    filesOf: async () => [],
    metadata: () => Promise.reject(new Error("nothing is there to be read")),
  },
};
