import type { HashMethod } from "@packhouse/contract/repositories";
import { type Technology, technologyPath } from "@packhouse/contract/technology";
import type { Db } from "../../../platform/db/database.ts";
import type { Settings } from "../../../platform/settings/settings.ts";
import type { ObjectStorage } from "../../../platform/storage/storage.ts";
import type { Copy } from "../../records/copy.ts";
import type { PublishedContent } from "../../serve/published-content.ts";
import type { PublicationTarget } from "../publication-target.ts";
import { isListedOrigin } from "./listed-origin.ts";
import { formOf, type OnServer, type PageWriter, type PushPlan, pagesOf } from "./push-plan.ts";
import { pythonPush } from "./push-python.ts";
import { rPush } from "./push-r.ts";
import { pushedFiles } from "./pushed-file-store.ts";
import type { Described, OpenFile, PushedTechnology } from "./pushed-technology.ts";
import { repositoryServer } from "./repository-server.ts";

interface Context {
  db: Db;
  storage: ObjectStorage;
  settings: Pick<Settings, "publication.targets">;
}

const technologies: { [T in Technology]: PushedTechnology<T> } = { R: rPush, Python: pythonPush };

/** Repository servers that speak RDepot's push protocol. Only those of listed origins are ever called. */
export function pushTarget(context: Context): PublicationTarget {
  const { settings } = context;
  return {
    name: "server",
    placeOf: ({ server_address, technology }) =>
      isListedOrigin(server_address, settings["publication.targets"])
        ? pushAddress(server_address, technology)
        : undefined,
    async deliver(copy, repository, content) {
      if (!isListedOrigin(copy.place, settings["publication.targets"]))
        throw new Error(`the settings do not list the origin of ${copy.place}`);
      await push(context, copy, repository, content);
      return { withdrawnToo: false };
    },
    async withdraw(copy) {
      if (!isListedOrigin(copy.place, settings["publication.targets"])) return;
      await push(context, copy, nobody, technologies[copy.technology].nothing);
    },
  };
}

/** Puts the technology before the repository's name, unless it is already there. */
export function pushAddress(serverAddress: string, technology: Technology): string | undefined {
  const url = new URL(serverAddress);
  const segments = url.pathname.split("/").filter(Boolean);
  const name = segments.pop();
  if (name === undefined) return undefined;
  if (segments.at(-1) !== technologyPath[technology]) segments.push(technologyPath[technology]);
  return `${url.origin}/${[...segments, name].join("/")}/`;
}

/**
 * Repeats until the server has everything: one push can carry only so many deletions. Each starts from the server's own
 * list.
 */
async function push(
  { db, storage }: Context,
  copy: Copy,
  repository: Described,
  content: PublishedContent,
): Promise<void> {
  const open: OpenFile = { object: (digest) => storage.read(digest) };
  const server = repositoryServer(copy.place);
  const files = pushedFiles(db, copy.id);
  for (let complete = false; !complete; ) {
    const { version, listed } = await technologies[copy.technology].list(server);
    if (!Number.isInteger(version)) throw new Error(`${copy.place} does not report its version`);
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

async function planOf<T extends Technology>(
  content: PublishedContent<T>,
  onServer: OnServer,
  open: OpenFile,
  repository: Described,
): Promise<{ plan: PushPlan; writer: PageWriter }> {
  const { plan, pages } = technologies[content.technology];
  return { plan: await plan(content, onServer, open, repository), writer: pages(repository.hashMethod) };
}

/** Stands for a repository that may be gone. */
const nobody: Described = { publicationUri: "http://localhost/", hashMethod: "SHA256" satisfies HashMethod };
