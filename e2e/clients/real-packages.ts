import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

export interface PackageFile {
  fileName: string;
  bytes: Buffer;
}

/** What was fetched once serves all later runs. It belongs to others and is never committed. */
const cache = join(resolve(import.meta.dirname, "../.."), ".cache/real-packages");

/** Wheels of a package with its dependencies, and of an older version, as this machine's pip gets them. */
export const realPythonPackages = (name: string, version: string, olderVersion: string): Promise<PackageFile[]> =>
  fetched(`${name}-${version}-${olderVersion}`, async (folder) => {
    const download = ["-m", "pip", "download", "--quiet", "--only-binary", ":all:", "--dest", folder];
    await run("/usr/bin/python3", [...download, `${name}==${version}`]);
    await run("/usr/bin/python3", [...download, "--no-deps", `${name}==${olderVersion}`]);
  });

/**
 * Source packages of R, as this machine's apt gets them: Debian keeps each as its authors released it, under another
 * name. With lists of its own, as few machines have those of sources.
 */
export const realRPackages = (...names: string[]): Promise<PackageFile[]> =>
  fetched(names.join("-"), async (folder) => {
    const scratch = await mkdtemp(`${folder}-apt-`);
    const parts = join(scratch, "parts");
    await Promise.all([parts, join(scratch, "lists/partial"), join(scratch, "cache")].map((it) => makeFolder(it)));
    for (const name of ["sources.list", "sources.list.d/debian.sources"].filter((it) => existsSync(`/etc/apt/${it}`))) {
      const text = await readFile(`/etc/apt/${name}`, "utf8");
      const sources = text.replace(/^Types:.*$/gm, "Types: deb-src").replace(/^deb\s/gm, "deb-src ");
      await writeFile(join(parts, name.replace("sources.list.d/", "")), sources);
    }
    const apt = (...parameters: string[]) =>
      run(
        "apt-get",
        [
          ...["-qq", "-o", "Dir::Etc::sourcelist=/dev/null", "-o", `Dir::Etc::sourceparts=${parts}`],
          ...["-o", `Dir::State::lists=${join(scratch, "lists")}`, "-o", `Dir::Cache=${join(scratch, "cache")}`],
          ...parameters,
        ],
        { cwd: folder },
      );
    await apt("update");
    await apt("source", "--download-only", "--tar-only", ...names.map((name) => `r-cran-${name.toLowerCase()}`));
    for (const fileName of await readdir(folder)) {
      const name = names.find((one) => fileName.startsWith(`r-cran-${one.toLowerCase()}_`));
      const version = /_(.+)\.orig\.tar\.gz$/.exec(fileName)?.[1];
      await rename(join(folder, fileName), join(folder, `${name}_${version}.tar.gz`));
    }
    await rm(scratch, { recursive: true });
  });

const makeFolder = (path: string) => mkdir(path, { recursive: true });

async function fetched(key: string, fetch: (folder: string) => Promise<void>): Promise<PackageFile[]> {
  const folder = join(cache, key);
  if (!existsSync(folder)) {
    await makeFolder(cache);
    const unfinished = await mkdtemp(join(cache, "unfinished-"));
    await fetch(unfinished);
    await rename(unfinished, folder);
  }
  const names = await readdir(folder);
  return Promise.all(names.map(async (fileName) => ({ fileName, bytes: await readFile(join(folder, fileName)) })));
}
