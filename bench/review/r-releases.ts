import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { formatOf } from "@packhouse/formats/format";

const run = promisify(execFile);

/** Debian keeps the releases of its last versions, each as its authors made it. */
const suites = ["oldoldstable", "oldstable", "stable", "testing", "unstable"];

/**
 * Fetches the releases of R packages that Debian has, as this machine's apt gets them, into a folder for
 * each; with lists of its own, as few machines have those of sources.
 */
export async function fetchRReleases(folder: string, names: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(folder, "apt-"));
  try {
    const options = await aptOptions(scratch);
    const apt = (program: string, parameters: readonly string[], cwd = scratch) =>
      run(program, [...options, ...parameters], { cwd, maxBuffer: 64 * 1024 * 1024 });
    await apt("apt-get", ["-qq", "update"]);
    for (const name of names) {
      const source = `r-cran-${name.toLowerCase()}`;
      const { stdout } = await apt("apt-cache", ["showsrc", "--only-source", source]);
      const own = await mkdtemp(join(folder, "unfinished-"));
      for (const version of versionsIn(stdout)) {
        const download = ["-qq", "source", "--download-only", "--tar-only", `${source}=${version}`];
        // Some mirrors no longer have the archives of old releases.
        await apt("apt-get", download, own).then(
          () => giveRName(own),
          () => undefined,
        );
      }
      await rename(own, join(folder, name));
    }
  } finally {
    await rm(scratch, { recursive: true });
  }
}

async function aptOptions(scratch: string): Promise<string[]> {
  const folders = ["parts", "lists/partial", "cache"].map((one) => join(scratch, one));
  await Promise.all(folders.map((one) => mkdir(one, { recursive: true })));
  const configured = (await readFile("/etc/apt/sources.list.d/debian.sources", "utf8")).split("\n");
  const fields = ["URIs:", "Signed-By:"].flatMap((name) => configured.find((line) => line.startsWith(name)) ?? []);
  const source = ["Types: deb-src", `Suites: ${suites.join(" ")}`, "Components: main", ...fields];
  await writeFile(join(scratch, "parts/debian.sources"), `${source.join("\n")}\n`);
  const settings = {
    "Dir::Etc::sourcelist": "/dev/null",
    "Dir::Etc::sourceparts": join(scratch, "parts"),
    "Dir::State::lists": join(scratch, "lists"),
    "Dir::Cache": join(scratch, "cache"),
  };
  return Object.entries(settings).flatMap(([name, value]) => ["-o", `${name}=${value}`]);
}

/** Debian's versions, the oldest first; one for each release whose archive is as its authors made it. */
function versionsIn(records: string): string[] {
  const { isVersion, compareVersions } = formatOf("R");
  const found = new Map<string, string>();
  for (const record of records.split("\n\n")) {
    const version = /^Version: (.+)$/m.exec(record)?.[1] ?? "";
    const own = version.replace(/^[0-9]+:/, "").replace(/-[^-]*$/, "");
    if (isVersion(own) && /\.orig\.tar\.gz$/m.test(record)) found.set(own, version);
  }
  return [...found].sort(([one], [other]) => compareVersions(one, other)).map(([, version]) => version);
}

/** Names the archive that apt wrote as R does, by what is in it. */
async function giveRName(folder: string): Promise<void> {
  const fileName = (await readdir(folder)).find((name) => name.endsWith(".orig.tar.gz"));
  if (fileName === undefined) return;
  const path = join(folder, fileName);
  const unpack = ["-xzOf", path, "--wildcards", "--no-wildcards-match-slash", "*/DESCRIPTION"];
  const { stdout } = await run("tar", unpack);
  const [name, version] = ["Package", "Version"].map(
    (field) => new RegExp(`^${field}: *(\\S+)`, "m").exec(stdout)?.[1],
  );
  await rename(path, join(folder, `${name}_${version}.tar.gz`));
}
