import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import { type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { r } from "./programs.ts";
import { realRPackages } from "./real-packages.ts";
import { proves, replays } from "./results-table.ts";

const [oldest, old, newest] = ["0.9", "0.10", "1.0-1"];

let product: Product;
let scratch: string;
let repository: string;
/** All that was uploaded, by file name. */
const uploaded = new Map<string, Buffer>();
/** Real packages, with their versions: `here`, and `rprojroot`, which it imports. */
let dependencies: string[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-r-clients-"));
  const real = await realRPackages("here", "rprojroot");
  dependencies = real.map(({ fileName }) => fileName.replace(".tar.gz", "").replace("_", " ")).sort();
  const release = (version: string) =>
    smallRPackage("driftlog", version, { Imports: "here" }, { "R/root.R": "root <- function() here::here()\n" });
  const ours = await Promise.all([oldest, old, newest].map(release));
  product = await startProduct({ environment: { PACKHOUSE_ADMIN_PASSWORD: "administrator's password" } });
  repository = `${product.address}/repo/r`;
  const administrator = await signIn(product, "admin", "administrator's password");
  await administrator.createRepository("R", "r");
  for (const file of [...real, ...ours]) {
    await administrator.upload("R", "r", file);
    uploaded.set(file.fileName, Buffer.from(file.bytes));
  }
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const fileNameOf = (nameAndVersion: string) => `${nameAndVersion.replace(" ", "_")}.tar.gz`;

/** Runs R with an empty library of its own and our repository as the only one; a warning is an error. */
async function rSession(code: string): Promise<string> {
  const library = await mkdtemp(join(scratch, "library-"));
  const start = `
    options(repos = "${repository}", warn = 2)
    table <- function(of) cat(sort(paste(of[, "Package"], of[, "Version"])), sep = "\\n")
    installed <- function() { loadNamespace("driftlog")$root(); table(installed.packages("${library}")) }`;
  return (await r(`${start}\n${code}`, { R_LIBS: library })).stdout;
}
const listOf = (...packages: string[]) => [...packages].sort().join("\n");

describe.concurrent("R", () => {
  test("lists the newest versions", proves(["R", "list"]), async () => {
    expect((await rSession("table(available.packages())")).trim()).toBe(listOf(`driftlog ${newest}`, ...dependencies));
  });

  test.runIf(isLong)("installs a package with its dependencies", proves(["R", "install"]), async () => {
    const said = await rSession(`install.packages("driftlog", type = "source", quiet = TRUE); installed()`);
    expect(said.trim()).toBe(listOf(`driftlog ${newest}`, ...dependencies));
  });

  test("downloads what was uploaded", proves(["R", "download"]), async () => {
    const folder = await mkdtemp(join(scratch, "downloads-"));
    const said = await rSession(`
      files <- download.packages(c("here", "driftlog"), "${folder}", type = "source", quiet = TRUE)
      cat(tools::md5sum(files[, 2]) == available.packages()[files[, 1], "MD5sum"])`);
    expect(said).toBe("TRUE TRUE");
  });
});

describe.concurrent("remotes", () => {
  test("lists the packages that one depends on", proves(["remotes", "list"]), async () => {
    const said = await rSession(`
      needed <- remotes::package_deps("driftlog")
      cat(sort(paste(needed$package, needed$available)), sep = "\\n")`);
    expect(said.trim()).toBe(listOf(`driftlog ${newest}`, ...dependencies));
  });

  test.runIf(isLong)(
    "installs the newest version with its dependencies, and an old one in its place",
    proves(["remotes", "install"], ["remotes", "old version"]),
    async () => {
      const said = await rSession(`
        remotes::install_cran("driftlog", quiet = TRUE)
        installed()
        remotes::install_version("driftlog", "${old}", upgrade = "never", quiet = TRUE)
        cat("\nthen", as.character(packageVersion("driftlog")))`);
      const [first, then] = said.split("then ");
      expect([first?.trim(), then]).toEqual([listOf(`driftlog ${newest}`, ...dependencies), old]);
    },
  );

  test("downloads the newest version that a range allows", proves(["remotes", "download"]), async () => {
    const said = await rSession(`
      file <- remotes::download_version("driftlog", ">= ${oldest}, < 1.0")
      cat(tools::md5sum(file) == tools::md5sum("${await written(fileNameOf(`driftlog ${old}`))}"))`);
    expect(said).toBe("TRUE");
  });
});

/** An uploaded file, in a folder of its own. */
async function written(fileName: string): Promise<string> {
  const path = join(await mkdtemp(join(scratch, "file-")), fileName);
  await writeFile(path, uploaded.get(fileName) ?? "");
  return path;
}

/** What a client asks for, as it asks; nothing may be compressed on the way, or answered by a page for people. */
async function ask(path: string, agent: string, more: { method?: string; etag?: string } = {}): Promise<Response> {
  const answer = await fetch(`${repository}/${path}`, {
    method: more.method ?? "GET",
    headers: { "user-agent": agent, ...(more.etag === undefined ? {} : { "if-none-match": more.etag }) },
  });
  expect(answer.headers.get("content-encoding")).toBeNull();
  expect(answer.headers.get("content-type") ?? "").not.toMatch(/html/);
  return answer;
}
const bytesOf = async (answer: Response): Promise<Buffer> => Buffer.from(await answer.arrayBuffer());

/** Reads a file of R's own format as the client would, with R. */
async function readByR(bytes: Buffer, code: string): Promise<string> {
  const path = join(await mkdtemp(join(scratch, "rds-")), "file.rds");
  await writeFile(path, bytes);
  return (await r(`it <- readRDS("${path}"); ${code}`)).stdout;
}

const system = "4.2.2 x86_64-pc-linux-gnu x86_64 linux-gnu";

/**
 * What `renv::restore()` asks a repository (R/available-packages.R, R/retrieve.R and R/download.R of its sources): the
 * list as RDS; a version that the list names from `src/contrib`, any other from the archive, after a look by HEAD.
 */
describe("renv", () => {
  const agent = `renv (1.0.0); R (${system})`;

  async function retrieve(name: string, version: string, listed: Set<string>): Promise<Buffer> {
    const fileName = fileNameOf(`${name} ${version}`);
    let path = `src/contrib/${fileName}`;
    let size: string | null = null;
    if (!listed.has(`${name} ${version}`)) {
      path = `src/contrib/Archive/${name}/${fileName}`;
      const found = await ask(path, agent, { method: "HEAD" });
      expect(found.status).toBe(200);
      size = found.headers.get("content-length");
    }
    const bytes = await bytesOf(await ask(path, agent));
    if (size !== null) expect(bytes.length).toBe(Number(size));
    return bytes;
  }

  test(
    "finds what a lock names, whether it is the newest version or an old one",
    replays(["renv", "list"], ["renv", "install"], ["renv", "old version"], ["renv", "lock, restore"]),
    async () => {
      const index = await ask("src/contrib/PACKAGES.rds", agent);
      expect(index.status).toBe(200);
      const list = await readByR(await bytesOf(index), `cat(paste(it[, "Package"], it[, "Version"]), sep = "\\n")`);
      const listed = new Set(list.trim().split("\n"));
      expect([...listed].sort()).toEqual([`driftlog ${newest}`, ...dependencies].sort());

      for (const locked of [`driftlog ${oldest}`, `driftlog ${old}`, `driftlog ${newest}`, ...dependencies]) {
        const [name = "", version = ""] = locked.split(" ");
        expect(await retrieve(name, version, listed)).toEqual(uploaded.get(fileNameOf(locked)));
      }
    },
  );

  test("learns by HEAD that a version is not there", replays(["renv", "old version"]), async () => {
    const answer = await ask("src/contrib/Archive/driftlog/driftlog_7.0.tar.gz", agent, { method: "HEAD" });
    expect(answer.status).toBe(404);
  });
});

/**
 * What pak asks a repository (pkgcache's R/metadata-cache.R and R/archive.R, pkgdepends' R/type-cran.R): the list as
 * text, the list of the archive, both again with the ETag that it was given; each file at both of its addresses in turn.
 */
describe("pak", () => {
  const agent = `R (${system})`;

  test("lists what there is, and does not fetch it again while it is the same", replays(["pak", "list"]), async () => {
    for (const path of ["src/contrib/PACKAGES.gz", "src/contrib/Meta/archive.rds"]) {
      const first = await ask(path, agent);
      expect(first.status).toBe(200);
      const etag = first.headers.get("etag") ?? "";
      expect(etag).toMatch(/^"[^"]+"$/);
      const again = await ask(path, agent, { etag });
      expect([again.status, (await bytesOf(again)).length]).toEqual([304, 0]);
    }
    const list = gunzipSync(await bytesOf(await ask("src/contrib/PACKAGES.gz", agent))).toString();
    for (const one of [`driftlog ${newest}`, ...dependencies])
      expect(list).toContain(`Package: ${one.replace(" ", "\nVersion: ")}\n`);
  });

  test(
    "installs the newest version and one of the archive",
    replays(["pak", "install"], ["pak", "old version"]),
    async () => {
      const archive = await readByR(
        await bytesOf(await ask("src/contrib/Meta/archive.rds", agent)),
        `for (of in it) { stopifnot(inherits(of$mtime, "POSIXct"), !is.unsorted(of$mtime)); cat(rownames(of), sep = "\\n") }`,
      );
      expect(archive.trim().split("\n")).toEqual(
        [oldest, old].map((version) => `driftlog/${fileNameOf(`driftlog ${version}`)}`),
      );
      for (const version of [newest, old]) {
        const fileName = fileNameOf(`driftlog ${version}`);
        const addresses = [`src/contrib/${fileName}`, `src/contrib/Archive/driftlog/${fileName}`];
        const answers = await Promise.all(addresses.map((path) => ask(path, agent)));
        const there = answers.filter(({ ok }) => ok);
        expect(there).not.toEqual([]);
        for (const answer of there) expect(await bytesOf(answer)).toEqual(uploaded.get(fileName));
        for (const answer of answers.filter(({ ok }) => !ok)) expect(answer.status).toBe(404);
      }
    },
  );
});
