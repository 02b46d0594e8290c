import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { repeatedRPackage, repeatedSdist } from "@packhouse/server/testing/hostile-input/repeated-members";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage, smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test } from "vitest";
import { curl, debianPip, pip, r, uv } from "./programs.ts";

let product: Product;
let administrator: ApiUser;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-page-"));
  product = await startProduct({ environment: { PACKHOUSE_ADMIN_PASSWORD: "administrator's password" } });
  administrator = await signIn(product, "admin", "administrator's password");
  await administrator.createRepository("Python", "wheels");
  await administrator.createRepository("R", "cran");
  const wheel = await smallWheel("pierlight", "1.0");
  await administrator.upload("Python", "wheels", wheel);
  const source = await smallRPackage("pierlight", "1.0");
  await administrator.upload("R", "cran", source);
  const sdist = await repeatedSdist("twice");
  await administrator.upload("Python", "wheels", sdist);
  const repeatedSource = await repeatedRPackage("twice");
  await administrator.upload("R", "cran", repeatedSource);
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const folder = () => mkdtemp(join(scratch, "folder-"));

test("where people find a page, pip and uv find the index of a Python repository", async () => {
  // With and without the last slash: clients follow the same redirect as browsers.
  for (const address of ["wheels/", "wheels"].map((path) => `${product.address}/repo/${path}`)) {
    for (const download of [pip, debianPip]) {
      const into = await folder();
      await download("download", "--no-deps", "--dest", into, "--index-url", address, "pierlight");
      expect(await readdir(into)).toEqual(["pierlight-1.0-py3-none-any.whl"]);
    }
    const into = await folder();
    await uv("pip", "install", "--no-deps", "--target", into, "--index-url", address, "pierlight");
    expect(await readdir(into)).toContain("pierlight-1.0.dist-info");
  }
  expect((await curl(`${product.address}/repo/wheels/`)).stdout).toContain('<a href="pierlight/">');
}, 120_000);

test("where people find a page, R finds its files, and nothing at the address of the folder", async () => {
  const library = await folder();
  const { stdout } = await r(`
    options(warn = 2)
    repos <- "${product.address}/repo/cran"
    cat(rownames(available.packages(repos = repos)), "")
    cat(tryCatch(readLines(url(paste0(repos, "/src/contrib/"))), error = function(e) "nothing", warning = function(e) "nothing"), "")
    install.packages("pierlight", lib = "${library}", repos = repos, type = "source", quiet = TRUE)
    cat(as.character(packageVersion("pierlight", lib.loc = "${library}")))`);
  expect(stdout).toBe("pierlight twice nothing 1.0");
  for (const path of ["cran", "cran/", "cran/src/contrib/"])
    await expect(curl(`${product.address}/repo/${path}`)).rejects.toMatchObject({ stdout: "Not found\n" });
}, 120_000);

test.runIf(isLong)(
  "pip and R install archives with some files twice",
  async () => {
    const into = await folder();
    await debianPip(
      "install",
      "--no-deps",
      "--no-build-isolation",
      "--target",
      into,
      "--index-url",
      `${product.address}/repo/wheels/simple/`,
      "twice",
    );
    expect(await readdir(into)).toContain("twice.py");
    const library = await folder();
    const { stdout } = await r(`
    install.packages("twice", lib = "${library}", repos = "${product.address}/repo/cran", type = "source", quiet = TRUE)
    cat(as.character(packageVersion("twice", lib.loc = "${library}")))`);
    expect(stdout).toBe("1.0");
  },
  120_000,
);

test.runIf(isLong)(
  "pip resolves what the page's own command names",
  async () => {
    const { stdout } = await curl(
      "--header",
      "Accept: text/html,application/xhtml+xml",
      `${product.address}/repo/wheels/`,
    );
    const [, index = ""] = /pip install --index-url &quot;(.*)&quot; PACKAGE/.exec(stdout) ?? [];
    const into = await folder();
    await pip("download", "--no-deps", "--dest", into, "--index-url", index, "pierlight");
    expect(await readdir(into)).toEqual(["pierlight-1.0-py3-none-any.whl"]);
    const page = await curl("--header", "Accept: text/html", `${product.address}/repo/cran/`);
    const [, command = ""] = /(install\.packages\([^<]*)</.exec(page.stdout) ?? [];
    const library = await folder();
    const code = command.replaceAll("&quot;", '"').replace("PACKAGE", "pierlight");
    await r(`options(repos = NULL); .libPaths("${library}"); ${code}`);
    expect(await readdir(library)).toContain("pierlight");
  },
  120_000,
);
