import { execFile } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import fastifyMultipart from "@fastify/multipart";
import fastify, { type FastifyRequest } from "fastify";

const run = promisify(execFile);

/** A page as it arrived, for assertions about pushes. */
interface ReceivedPage {
  page: string;
  files: string[];
  deleted: string[];
}

/**
 * A repository server that implements the push protocol: it verifies everything, keeps its files in a folder, and works
 * in the least convenient order, storing the files of a page before it deletes.
 */
export interface TestRepositoryServer extends AsyncDisposable {
  origin: string;
  /** Folder of a repository: `r/north`. */
  folder(repository: string): string;
  /** Paths below it, sorted, but VERSION. */
  files(repository: string): Promise<string[]>;
  pages: ReceivedPage[];
  /** Protocol violations; empty for a correct client. */
  complaints: string[];
  /** Refuses the page with this number, counted from now, 1 being the next; or cuts the connection after storing it. */
  failPage(count: number, how?: "refuse" | "cut"): void;
  /** Pages that were refused or cut on request. */
  failures: number;
  /** Pushes that began while another one was running. */
  overlaps: number;
  /** After how long a transaction without pages is rolled back by the next client. */
  expiresAfterMs: number;
  /** While true every request is answered by 503. */
  down: boolean;
  /** Delays the answers to pages. */
  slowMs: number;
}

interface FormFile {
  field: string;
  name: string;
  bytes: Buffer;
}

interface Form {
  texts: Map<string, string[]>;
  json: Map<string, Record<string, string>>;
  files: FormFile[];
  parts: number;
}

interface Transaction {
  id: string;
  page: number;
  pages: number;
  trash: string;
  latest: number;
}

class Refused extends Error {
  readonly status: number;
  constructor(status: number, reason: string) {
    super(reason);
    this.status = status;
  }
}

/** The reason of requested refusals. */
const expected = "as asked";

const hashes: Record<string, string> = {
  MD5: "md5",
  SHA1: "sha1",
  SHA224: "sha3-224",
  SHA256: "sha256",
  SHA384: "sha384",
  SHA512: "sha512",
};

export async function startRepositoryServer(): Promise<TestRepositoryServer> {
  const root = await mkdtemp(join(tmpdir(), "repository-server-"));
  const running = new Map<string, Transaction>();
  const expired = new Set<string>();
  const app = fastify({ bodyLimit: 1_000_000_000 });
  await app.register(fastifyMultipart, { limits: { parts: 100, fileSize: 1_000_000_000, headerPairs: 10 } });
  let failIn = 0;
  let failHow: "refuse" | "cut" = "refuse";
  let cut = false;

  app.addHook("onRequest", async (_request, reply) => {
    if (it.down) await reply.code(503).send("down");
  });
  app.get("/*", async (request, reply) => {
    const path = request.url.split("/").filter(Boolean);
    if (path.at(-1) === "status") return reply.type("text/plain").send("OK");
    const archived = path.at(-1) === "archive";
    const [technology, name] = path.slice(archived ? -3 : -2);
    const repository = await repositoryOf(technology, name);
    const files = (await it.files(repository)).filter((file) => !isIndex(file) && !file.includes("/Meta/"));
    const listed = files.filter((file) => file.includes("/Archive/") === archived);
    return reply.send(archived ? listed : [String(await version(repository)), ...listed]);
  });
  app.post("/*", async (request, reply) => {
    const repository = await repositoryOf(...request.url.split("/").filter(Boolean).slice(-2));
    if (it.slowMs > 0) await new Promise((done) => setTimeout(done, it.slowMs));
    try {
      const id = await store(repository, await receive(request));
      if (cut) reply.raw.destroy();
      cut = false;
      return await reply.send({ id, message: "OK" });
    } catch (error) {
      if (!(error instanceof Refused)) it.complaints.push(String(error));
      else if (error.message !== expected) it.complaints.push(error.message);
      return reply.code(error instanceof Refused ? error.status : 500).send({ id: "", message: "ERROR" });
    }
  });

  async function repositoryOf(technology = "", name = ""): Promise<string> {
    const repository = `${technology}/${decodeURIComponent(name)}`;
    await mkdir(it.folder(repository), { recursive: true });
    return repository;
  }
  async function version(repository: string): Promise<number> {
    const path = join(it.folder(repository), "VERSION");
    return existsSync(path) ? Number(await readFile(path, "utf8")) : 1;
  }

  async function receive(request: FastifyRequest): Promise<Form> {
    const form: Form = { texts: new Map(), json: new Map(), files: [], parts: 0 };
    for await (const part of request.parts()) {
      form.parts += 1;
      if (part.type === "file")
        form.files.push({ field: part.fieldname, name: part.filename, bytes: await part.toBuffer() });
      else if (part.mimetype === "application/json")
        form.json.set(part.fieldname, typeof part.value === "string" ? JSON.parse(part.value) : part.value);
      else form.texts.set(part.fieldname, [...(form.texts.get(part.fieldname) ?? []), String(part.value)]);
    }
    return form;
  }

  /** Accepts one page; any error in it ends the transaction and keeps the previous content. */
  async function store(repository: string, form: Form): Promise<string> {
    const text = (name: string) => form.texts.get(name)?.[0] ?? "";
    const [page = 0, pages = 0] = text("page").split("/").map(Number);
    const first = text("id") === "";
    let transaction = running.get(repository);
    if (transaction && performance.now() - transaction.latest > it.expiresAfterMs) {
      await rollback(repository, transaction);
      transaction = undefined;
      expired.add(repository);
    }
    if (first && transaction) {
      it.overlaps += 1;
      throw new Refused(400, expected);
    }
    if (!transaction) {
      if (!first) throw new Refused(400, "there is no such transaction");
      transaction = { id: randomUUID(), page: 0, pages, trash: join(root, `TRASH_${randomUUID()}`), latest: 0 };
      await cp(it.folder(repository), transaction.trash, { recursive: true });
      running.set(repository, transaction);
    }
    try {
      if (!first && text("id") !== transaction.id) throw new Refused(400, "another transaction is running");
      await check(repository, form, transaction, { page, pages });
      await keep(repository, form, page === pages);
      if (failIn > 0) {
        failIn -= 1;
        if (failIn === 0) it.failures += 1;
        if (failIn === 0 && failHow === "refuse") throw new Refused(500, expected);
        cut = failIn === 0;
      }
    } catch (error) {
      await rollback(repository, transaction);
      throw error;
    }
    it.pages.push({
      page: text("page"),
      files: form.files.map(({ name }) => name),
      deleted: [...(form.texts.get("to_delete") ?? []), ...(form.texts.get("to_delete_archive") ?? [])],
    });
    transaction.page = page;
    transaction.latest = performance.now();
    await writeFile(join(it.folder(repository), "VERSION"), text("version_after"));
    if (page === pages) {
      running.delete(repository);
      await rm(transaction.trash, { recursive: true });
    }
    return transaction.id;
  }

  async function rollback(repository: string, { trash }: Transaction): Promise<void> {
    running.delete(repository);
    await rm(it.folder(repository), { recursive: true, force: true });
    await cp(trash, it.folder(repository), { recursive: true });
    await rm(trash, { recursive: true });
  }

  async function check(
    repository: string,
    form: Form,
    { page: last, pages: total }: Transaction,
    { page, pages }: Pick<Transaction, "page" | "pages">,
  ) {
    const text = (name: string) => form.texts.get(name)?.[0] ?? "";
    const demand = (condition: boolean, reason: string, status = 400) => {
      if (!condition) throw new Refused(status, `${reason} (${repository}, page ${text("page")})`);
    };
    demand(page === last + 1 && pages === total && page <= pages, "pages out of order");
    demand(form.parts <= 100, "too many parts");
    for (const field of ["files", "files_archive"])
      demand(form.files.filter((file) => file.field === field).length <= 10, "too many files");
    const isR = repository.startsWith("r/");
    const hash = isR ? "md5" : hashes[text("hash_method")];
    demand(hash !== undefined, "no hash method");
    const sums = form.json.get("checksums") ?? {};
    demand(
      sameNames(
        Object.keys(sums),
        form.files.map(({ name }) => name),
      ),
      "checksums of other files",
    );
    for (const { name, bytes } of form.files)
      demand(
        sums[name] ===
          createHash(hash ?? "")
            .update(bytes)
            .digest("hex"),
        `wrong checksum of ${name}`,
      );
    const before = Number(text("version_before"));
    // A client that listed the files during an expired transaction cannot know.
    if (before !== (await version(repository)) && expired.delete(repository)) throw new Refused(500, expected);
    demand(before === (await version(repository)), "another version", 500);
    demand(Number(text("version_after")) === (before === 2_147_483_647 ? 1 : before + 1), "versions out of order");
    const deletions = ["to_delete", "to_delete_archive"].flatMap((field) => form.texts.get(field) ?? []);
    demand(page === 1 || deletions.length === 0, "deletions after the first page");
    if (!isR) return;
    const pairs = [
      ["paths", form.files.filter(({ field }) => field === "files").map(({ name }) => name)],
      ["paths_archive", form.files.filter(({ field }) => field === "files_archive").map(({ name }) => name)],
      ["to_delete_paths", form.texts.get("to_delete") ?? []],
      ...(page === 1 ? ([["to_delete_paths_archive", form.texts.get("to_delete_archive") ?? []]] as const) : []),
    ] as const;
    for (const [field, names] of pairs) {
      const paths = form.json.get(field);
      demand(paths !== undefined && sameNames(Object.keys(paths), names), `${field} of other files`);
      for (const [name, path] of Object.entries(paths ?? {})) {
        const suffix = isIndex(`/${realName(name)}`) ? (field === "paths" ? "latest" : "archive") : "";
        demand(name.startsWith(`${path.replace(/[^A-Za-z0-9]/g, "")}${suffix}_`), `${name} is not prefixed by ${path}`);
      }
    }
  }

  async function keep(repository: string, form: Form, isLast: boolean): Promise<void> {
    const folder = it.folder(repository);
    const put = async (path: string, bytes: Uint8Array) => {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), bytes);
    };
    if (repository.startsWith("python/")) {
      for (const { name, bytes } of form.files) await unpack(folder, name.replace(/\.tar\.gz$/, ""), bytes);
      for (const path of form.texts.get("to_delete") ?? []) await remove(folder, path);
      return;
    }
    const path = (field: string, name: string, archived: boolean) => {
      const base = form.json.get(field)?.[name] ?? "";
      const real = realName(name);
      if (!archived) return `${base}/${real}`;
      return isIndex(`/${real}`) ? `${base}/Archive/${real}` : `${base}/Archive/${real.split("_")[0]}/${real}`;
    };
    for (const { field, name, bytes } of form.files) {
      const archived = field === "files_archive";
      await put(path(archived ? "paths_archive" : "paths", name, archived), bytes);
    }
    for (const name of form.texts.get("to_delete") ?? []) await remove(folder, path("to_delete_paths", name, false));
    for (const name of form.texts.get("to_delete_archive") ?? [])
      await remove(folder, path("to_delete_paths_archive", name, true));
    if (!isLast) return;
    for (const base of new Set(Object.values(form.json.get("to_delete_paths_archive") ?? {}))) {
      const archive = join(folder, base, "Archive");
      for (const name of existsSync(archive) ? await readdir(archive) : [])
        if (!isIndex(`/${name}`) && (await readdir(join(archive, name))).length === 0)
          await rm(join(archive, name), { recursive: true });
    }
    for (const base of new Set(Object.values(form.json.get("paths_archive") ?? {}))) {
      const archived = (await it.files(repository)).filter(
        (file) => file.startsWith(`${base}/Archive/`) && !isIndex(file),
      );
      await put(`${base}/Meta/archive.rds`, Buffer.from(archived.join("\n")));
    }
  }

  async function unpack(folder: string, project: string, bytes: Uint8Array): Promise<void> {
    const archive = join(root, `${randomUUID()}.tar.gz`);
    await writeFile(archive, bytes);
    const { stdout } = await run("tar", ["-tzf", archive]);
    if (stdout.includes("/")) throw new Refused(500, `${project} is not flat`);
    const target = project === "index" ? folder : join(folder, project);
    await mkdir(target, { recursive: true });
    await run("tar", ["-xzf", archive, "-C", target]);
    await rm(archive);
  }

  async function remove(folder: string, path: string): Promise<void> {
    if (!existsSync(join(folder, path))) throw new Refused(500, `${path} is not there to be deleted`);
    await rm(join(folder, path));
  }

  const it: Omit<TestRepositoryServer, "origin" | typeof Symbol.asyncDispose> = {
    folder: (repository) => join(root, repository),
    async files(repository) {
      const entries = await readdir(it.folder(repository), { recursive: true, withFileTypes: true });
      const paths = entries
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name).slice(it.folder(repository).length + 1));
      return paths.filter((path) => path !== "VERSION").sort();
    },
    pages: [],
    complaints: [],
    failPage(count, how = "refuse") {
      failIn = count;
      failHow = how;
    },
    failures: 0,
    overlaps: 0,
    expiresAfterMs: 300_000,
    down: false,
    slowMs: 0,
  };
  const origin = await app.listen({ host: "127.0.0.1", port: 0 });
  return Object.assign(it, {
    origin,
    async [Symbol.asyncDispose]() {
      await app.close();
      await rm(root, { recursive: true, force: true });
    },
  });
}

const realName = (name: string): string => name.slice(name.indexOf("_") + 1);
const isIndex = (path: string): boolean => /(^|\/)(PACKAGES(\.gz)?|index\.html)$/.test(path);
const sameNames = (some: readonly string[], others: readonly string[]): boolean =>
  [...some].sort().join() === [...others].sort().join();
