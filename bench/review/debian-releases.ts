import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Technology } from "@packhouse/contract/technology";
import { formatOf } from "@packhouse/formats/format";

const run = promisify(execFile);

/** Debian keeps the releases of its last versions, each as its authors made it. */
const suites = ["oldoldstable", "oldstable", "stable", "testing", "unstable"];

/**
 * Fetches the releases of packages that Debian has, as this machine's apt gets them, into a folder for each; with lists
 * of its own, as few machines have those of sources.
 */
export async function fetchFromDebian(technology: Technology, folder: string, names: readonly string[]): Promise<void> {
  const scratch = await mkdtemp(join(folder, "apt-"));
  try {
    const options = await aptOptions(scratch);
    const apt = (program: string, parameters: readonly string[], cwd = scratch) =>
      run(program, [...options, ...parameters], { cwd, maxBuffer: 64 * 1024 * 1024 });
    await apt("apt-get", ["-qq", "update"]);
    for (const name of names) {
      const source = technology === "R" ? `r-cran-${name.toLowerCase()}` : name;
      const { stdout } = await apt("apt-cache", ["showsrc", "--only-source", source]);
      const own = await mkdtemp(join(folder, "unfinished-"));
      for (const version of versionsIn(technology, stdout)) {
        const download = ["-qq", "source", "--download-only", "--tar-only", `${source}=${version}`];
        // Some mirrors no longer have the archives of old releases.
        await apt("apt-get", download, own).then(
          () => giveOwnName(technology, own),
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
function versionsIn(technology: Technology, records: string): string[] {
  const { isVersion, compareVersions } = formatOf(technology);
  const found = new Map<string, string>();
  for (const record of records.split("\n\n")) {
    const version = /^Version: (.+)$/m.exec(record)?.[1] ?? "";
    const own = version.replace(/^[0-9]+:/, "").replace(/-[^-]*$/, "");
    // After a plus: what Debian removed; after a tilde: an early release.
    if (isVersion(own) && !/[+~]/.test(own) && /\.orig\.tar\.gz$/m.test(record)) found.set(own, version);
  }
  return [...found].sort(([one], [other]) => compareVersions(one, other)).map(([, version]) => version);
}

/** What names a release, in a member of its archive. */
const naming = {
  R: { member: "DESCRIPTION", nameField: "Package", fileName: (name: string, version: string) => `${name}_${version}` },
  Python: { member: "PKG-INFO", nameField: "Name", fileName: (name: string, version: string) => `${name}-${version}` },
} satisfies Record<Technology, unknown>;

/**
 * Names the archive that apt wrote as its technology does, by what is in it. What a project's host packed of its
 * repository is no source distribution and is left out.
 */
async function giveOwnName(technology: Technology, folder: string): Promise<void> {
  const archive = (await readdir(folder)).find((name) => name.endsWith(".orig.tar.gz"));
  if (archive === undefined) return;
  const path = join(folder, archive);
  const { member, nameField, fileName } = naming[technology];
  const unpack = ["-xzOf", path, "--wildcards", "--no-wildcards-match-slash", `*/${member}`];
  const text = await run("tar", unpack).then(
    ({ stdout }) => stdout,
    () => "",
  );
  const [name, version] = [nameField, "Version"].map((field) => new RegExp(`^${field}: *(\\S+)`, "m").exec(text)?.[1]);
  if (name === undefined || version === undefined) await rm(path);
  else await rename(path, join(folder, `${fileName(name, version)}.tar.gz`));
}
