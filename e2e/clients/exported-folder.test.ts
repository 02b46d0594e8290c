import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildPackages } from "@packhouse/fixtures/build-packages";
import { isLong } from "@packhouse/fixtures/long-form";
import { type ApiUser, freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { pip, r } from "./programs.ts";

/** R's dependencies among them make an order of installation necessary. */
const few = new Set(["grainplot", "tidetable", "trellis-config", "weighbridge"]);
const exportedPackages = async () => (await buildPackages()).filter(({ name }) => isLong || few.has(name));

let product: Product;
let administrator: ApiUser;
let scratch: string;
let webServer: ChildProcess;
let address: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-exported-"));
  const folder = join(scratch, "exported");
  product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_PUBLICATION_EXPORT_FOLDER: folder,
    },
  });
  administrator = await signIn(product, "admin", "administrator's password");
  await administrator.createRepository("R", "exported-r");
  await administrator.createRepository("Python", "exported-python");
  for (const file of await exportedPackages())
    await administrator.upload(file.technology, file.technology === "R" ? "exported-r" : "exported-python", file);
  const port = await freePort();
  webServer = spawn(
    "/usr/bin/python3",
    ["-m", "http.server", String(port), "--bind", "127.0.0.1", "--directory", folder],
    {
      stdio: "ignore",
    },
  );
  address = `http://127.0.0.1:${port}`;
  await vi.waitUntil(async () => (await fetch(address).catch(() => undefined))?.ok, { timeout: 20_000 });
}, 300_000);

afterAll(async () => {
  webServer?.kill();
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

test.runIf(isLong)(
  "R installs from an exported folder, newest and archived",
  async () => {
    const old = await smallRPackage("tidemark", "1.0");
    const latest = await smallRPackage("tidemark", "2.0");
    for (const file of [old, latest]) await administrator.upload("R", "exported-r", file);
    const names = [
      ...new Set((await exportedPackages()).filter((one) => one.technology === "R").map((one) => one.name)),
    ];
    const library = await mkdtemp(join(scratch, "library-"));
    const quoted = [...names, "tidemark"].map((name) => JSON.stringify(name)).join(", ");
    const { stdout } = await r(`
    repos <- "${address}/exported-r"
    install.packages(c(${quoted}), lib = "${library}", repos = repos, type = "source", quiet = TRUE)
    cat(all(c(${quoted}) %in% rownames(installed.packages(lib.loc = "${library}"))), "")
    cat(as.character(packageVersion("tidemark", lib.loc = "${library}")), "")
    archive <- readRDS(gzcon(url(paste0(repos, "/src/contrib/Meta/archive.rds"))))
    cat(rownames(archive$tidemark), "")
    install.packages(paste0(repos, "/src/contrib/Archive/", rownames(archive$tidemark)), lib = "${library}", repos = NULL, type = "source", quiet = TRUE)
    cat(as.character(packageVersion("tidemark", lib.loc = "${library}")))`);
    expect(stdout).toBe("TRUE 2.0 tidemark/tidemark_1.0.tar.gz 1.0");
  },
  300_000,
);

test("pip installs from an exported folder, checking digests", async () => {
  const built = (await exportedPackages()).filter((one) => one.technology === "Python");
  const wheels = [...new Set(built.filter((one) => one.fileName.endsWith(".whl")).map((one) => one.name))];
  const target = await mkdtemp(join(scratch, "site-"));
  const index = ["--index-url", `${address}/exported-python/simple/`];
  const { stdout: log } = await pip(
    "install",
    "--verbose",
    "--target",
    target,
    ...index,
    "--prefer-binary",
    "--no-build-isolation",
    ...wheels,
  );
  expect(log).toContain(`${address}/exported-python/simple/`);
  const { stdout } = await pip("list", "--path", target, "--format", "json");
  const installed = z.array(z.object({ name: z.string() })).parse(JSON.parse(stdout));
  expect(installed.map(({ name }) => normalized(name))).toEqual(expect.arrayContaining(wheels.map(normalized)));

  const [wheel] = built.filter((one) => one.fileName.endsWith(".whl"));
  const downloads = await mkdtemp(join(scratch, "downloads-"));
  await pip(
    "download",
    "--no-deps",
    "--only-binary",
    ":all:",
    "--dest",
    downloads,
    ...index,
    `${wheel?.name}==${wheel?.version}`,
  );
  expect(await readdir(downloads)).toEqual([wheel?.fileName]);
}, 300_000);

const normalized = (name: string): string => name.toLowerCase().replace(/[-_.]+/g, "-");
