import { existsSync } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { buildPackages } from "@packhouse/fixtures/build-packages";
import type { BuiltPackage } from "@packhouse/fixtures/built-package";
import { isLong } from "@packhouse/fixtures/long-form";
import { hashPassword } from "@packhouse/server/identity/passwords/password";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage, smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { debianPip, r } from "./programs.ts";
import { proves } from "./results-table.ts";

const realPackages = process.env.PACKHOUSE_FIXTURES ?? resolve(import.meta.dirname, "../../../shared/fixtures");
const reals = existsSync(realPackages);
if (isLong && !reals)
  process.stdout.write("Tests on real CRAN and PyPI files are left out: their folder is not on this machine.\n");

let product: Product;
let administrator: ApiUser;
let uploader: ApiUser;
let scratch: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-clients-"));
  product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_PEOPLE: JSON.stringify([
        { login: "uploader", passwordHash: await hashPassword("uploader's password") },
      ]),
    },
  });
  administrator = await signIn(product, "admin", "administrator's password");
  uploader = await signIn(product, "uploader", "uploader's password");
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** One person uploads, another accepts: the way of every package. */
async function publish(
  technology: "R" | "Python",
  repository: string,
  files: { fileName: string; bytes: Uint8Array }[],
): Promise<void> {
  for (const file of files) {
    const submission = await uploader.upload(technology, repository, file);
    expect(submission.state).toBe("WAITING");
    await administrator.accept(technology, submission.id);
  }
}

/** A package that requires one that requires another. */
const chains = {
  R: ["gridwalk", "orchardstats", "pollenmap"],
  Python: ["hopper-io", "gradeline", "Bruise_Finder"],
} as const;

/** All sample packages, or, in the short form, some that require each other. */
async function samplePackages(technology: keyof typeof chains): Promise<BuiltPackage[]> {
  const chain: readonly string[] = chains[technology].map(normalized);
  return (await buildPackages()).filter(
    (one) => one.technology === technology && (isLong || chain.includes(normalized(one.name))),
  );
}

async function realFiles(folder: string, names: string[]) {
  return Promise.all(
    names.map(async (fileName) => ({ fileName, bytes: await readFile(join(realPackages, folder, fileName)) })),
  );
}

describe("install.packages", () => {
  test("installs packages of ours with their dependencies", proves(["R", "list"], ["R", "install"]), async () => {
    await administrator.createRepository("R", "ours-r");
    const built = await samplePackages("R");
    await publish("R", "ours-r", built);
    const names = [...new Set(built.map((one) => one.name))];
    const library = await mkdtemp(join(scratch, "library-"));
    const quoted = names.map((name) => JSON.stringify(name)).join(", ");
    const { stdout } = await r(`
      repos <- "${product.address}/repo/ours-r"
      available <- available.packages(repos = repos, filters = list())
      install.packages(c(${quoted}), lib = "${library}", repos = repos, type = "source", quiet = TRUE)
      installed <- rownames(installed.packages(lib.loc = "${library}"))
      cat(nrow(available), all(c(${quoted}) %in% installed))`);
    expect(stdout.trim()).toBe(`${names.length} TRUE`);
  });

  test.runIf(reals && isLong)(
    "installs real packages of CRAN, newest and archived",
    proves(["R", "install"], ["R", "old version"]),
    async () => {
      await administrator.createRepository("R", "real-r");
      await publish(
        "R",
        "real-r",
        await realFiles("r/source", [
          "praise_1.0.0.tar.gz",
          "R.methodsS3_1.8.2.tar.gz",
          "viridisLite_0.4.1.tar.gz",
          "tidepool_0.9.0.tar.gz",
          "tidepool_0.10.0.tar.gz",
          "tidepool_1.0.0.tar.gz",
          "tidepool_1.0.0-1.tar.gz",
        ]),
      );
      const library = await mkdtemp(join(scratch, "library-"));
      const { stdout } = await r(`
      repos <- "${product.address}/repo/real-r"
      install.packages(c("praise", "R.methodsS3", "viridisLite", "tidepool"), lib = "${library}", repos = repos, type = "source", quiet = TRUE)
      cat(as.character(packageVersion("tidepool", lib.loc = "${library}")), "")
      archive <- readRDS(gzcon(url("${product.address}/repo/real-r/src/contrib/Meta/archive.rds")))
      cat(rownames(archive$tidepool), "")
      old <- paste0(repos, "/src/contrib/Archive/", rownames(archive$tidepool)[1])
      install.packages(old, lib = "${library}", repos = NULL, type = "source", quiet = TRUE)
      cat(as.character(packageVersion("tidepool", lib.loc = "${library}")))`);
      expect(stdout).toBe(
        "1.0.0.1 tidepool/tidepool_0.9.0.tar.gz tidepool/tidepool_0.10.0.tar.gz tidepool/tidepool_1.0.0.tar.gz 0.9.0",
      );
    },
  );

  test("sees no packages in an empty repository, and no warning", proves(["R", "list"]), async () => {
    await administrator.createRepository("R", "empty-r");
    const { stdout, stderr } = await r(`cat(nrow(available.packages(repos = "${product.address}/repo/empty-r")))`);
    expect({ stdout, stderr }).toEqual({ stdout: "0", stderr: "" });
  });
});

describe("pip", () => {
  test("installs packages of ours with their dependencies", proves(["Debian's pip", "install"]), async () => {
    await administrator.createRepository("Python", "ours-python");
    const built = await samplePackages("Python");
    await publish("Python", "ours-python", built);
    const wheels = [...new Set(built.filter((one) => one.fileName.endsWith(".whl")).map((one) => one.name))];
    const target = await mkdtemp(join(scratch, "site-"));
    const index = `${product.address}/repo/ours-python/simple/`;
    await debianPip(
      "install",
      "--target",
      target,
      "--index-url",
      index,
      "--prefer-binary",
      "--no-build-isolation",
      ...wheels,
    );
    const { stdout } = await debianPip("list", "--path", target, "--format", "json");
    const installed = (JSON.parse(stdout) as { name: string }[]).map(({ name }) => normalized(name));
    expect(installed).toEqual(expect.arrayContaining(wheels.map(normalized)));
  });

  test.runIf(reals && isLong)(
    "installs and downloads real packages of PyPI, checking their digests",
    proves(["Debian's pip", "install"], ["Debian's pip", "download"]),
    async () => {
      await administrator.createRepository("Python", "real-python");
      await publish("Python", "real-python", [
        ...(await realFiles("python/wheel", [
          "six-1.17.0-py2.py3-none-any.whl",
          "colander-0.9.9-py2.py3-none-any.whl",
        ])),
        ...(await realFiles("python/sdist", ["translationstring-1.1.tar.gz", "MarkupSafe-2.1.2.tar.gz"])),
      ]);
      const target = await mkdtemp(join(scratch, "site-"));
      const index = `${product.address}/repo/real-python/simple/`;
      await debianPip("install", "--target", target, "--index-url", index, "six");
      const downloads = await mkdtemp(join(scratch, "downloads-"));
      await debianPip(
        "download",
        "--no-deps",
        "--no-build-isolation",
        "--dest",
        downloads,
        "--index-url",
        index,
        "six",
        "colander",
      );
      expect(await readFile(join(downloads, "six-1.17.0-py2.py3-none-any.whl"))).toEqual(
        await readFile(join(realPackages, "python/wheel/six-1.17.0-py2.py3-none-any.whl")),
      );
    },
  );
});

describe("a snapshot", () => {
  const listed = z.object({ snapshots: z.array(z.object({ serial: z.number() })) });
  /** The repository's address as it is now, for later. */
  const addressNow = async (name: string, id: number): Promise<string> => {
    const { snapshots } = listed.parse((await administrator.call("GET", `/repositories/${id}/snapshots`)).data);
    return `${product.address}/repo/${name}/@${snapshots[0]?.serial}`;
  };

  test.runIf(isLong)(
    "is what pip and R install from although there are newer versions",
    proves(["Debian's pip", "snapshot"], ["R", "snapshot"]),
    async () => {
      const python = await administrator.createRepository("Python", "then-python");
      const rId = await administrator.createRepository("R", "then-r");
      const upload = async (version: string) => {
        const wheel = await smallWheel("yesterday", version);
        const source = await smallRPackage("yesterday", version);
        await administrator.upload("Python", "then-python", wheel);
        await administrator.upload("R", "then-r", source);
      };
      await upload("1.0");
      const [pythonThen, rThen] = [await addressNow("then-python", python), await addressNow("then-r", rId)];
      await upload("2.0");

      const target = await mkdtemp(join(scratch, "site-"));
      await debianPip("install", "--target", target, "--index-url", `${pythonThen}/simple/`, "yesterday");
      const { stdout } = await debianPip("list", "--path", target, "--format", "json");
      expect(JSON.parse(stdout)).toMatchObject([{ name: "yesterday", version: "1.0" }]);

      const library = await mkdtemp(join(scratch, "library-"));
      const installed = await r(`
      install.packages("yesterday", lib = "${library}", repos = "${rThen}", type = "source", quiet = TRUE)
      cat(as.character(packageVersion("yesterday", lib.loc = "${library}")))`);
      expect(installed.stdout).toBe("1.0");
    },
  );
});

// Each client with each kind of credentials: private-repositories.test.ts.
describe.runIf(isLong)("a repository that needs authentication", () => {
  test(
    "turns strangers away and lets pip and R in with an access token",
    proves(["Debian's pip", "private"], ["R", "private"]),
    async () => {
      await administrator.createRepository("Python", "private-python", { requiresAuthentication: true });
      await administrator.createRepository("R", "private-r", { requiresAuthentication: true });
      const built = await buildPackages();
      const wheel = built.find((one) => one.fileName.endsWith(".whl"));
      const source = built.find((one) => one.technology === "R");
      if (!wheel || !source) throw new Error("there is no package to publish");
      await publish("Python", "private-python", [wheel]);
      await publish("R", "private-r", [source]);

      const stranger = await fetch(`${product.address}/repo/private-python/simple/`);
      expect([stranger.status, stranger.headers.get("www-authenticate")]).toEqual([401, 'Basic realm="Packhouse"']);

      const token = await uploader.createToken("clients");
      const withToken = (path: string) => product.address.replace("//", `//uploader:${token}@`) + path;
      const downloads = await mkdtemp(join(scratch, "downloads-"));
      await debianPip(
        "download",
        "--no-deps",
        "--dest",
        downloads,
        "--index-url",
        withToken("/repo/private-python/simple/"),
        `${wheel.name}==${wheel.version}`,
      );
      expect(existsSync(join(downloads, wheel.fileName))).toBe(true);
      const { stdout } = await r(`cat(rownames(available.packages(repos = "${withToken("/repo/private-r")}")))`);
      expect(stdout).toBe(source.name);
    },
  );
});

const normalized = (name: string) => name.toLowerCase().replace(/[-_.]+/g, "-");
