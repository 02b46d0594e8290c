import { mkdtemp, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { pipEach, r, uv } from "../programs.ts";
import { agent } from "../r-builds.ts";

/** The versions that clients choose of packages, without installing them. What they write goes into a scratch folder. */

/** The version of the Python of this machine. */
export const ownPython = "3.11";

/** Does the work for four items at a time; returns the results in the order of the items. */
export const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) => {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += 4)
    results.push(...(await Promise.all(items.slice(first, first + 4).map(work))));
  return results;
};

/** What a client gets by each name; null where it finds nothing for it. */
type Got = Map<string, string | null>;

/** Asks for all names at once, and for each half of them if there is nothing for one. */
async function gotBy(
  names: readonly string[],
  ask: (names: readonly string[]) => Promise<[string, string][]>,
): Promise<Got> {
  const got = (pairs: [string, string][]): Got =>
    new Map(names.map((name) => [name, new Map(pairs).get(name) ?? null]));
  try {
    return got(await ask(names));
  } catch {
    if (names.length === 1) return got([]);
    const middle = Math.ceil(names.length / 2);
    return new Map([...(await gotBy(names.slice(0, middle), ask)), ...(await gotBy(names.slice(middle), ask))]);
  }
}

/** Which versions of packages an index has for a Python. */
interface Question {
  index: string;
  python: string;
  names: readonly string[];
  /** Whether what they need must be there, too. */
  withDependencies?: boolean;
}

/** What uv would lock. */
export const uvGets = async (scratch: string, batches: readonly Question[]): Promise<Got> => {
  const answers = await inParallel(batches, ({ index, python, names }) =>
    gotBy(names, async (asked) => {
      const requirements = join(await mkdtemp(join(scratch, "uv-")), "requirements.in");
      await writeFile(requirements, asked.join("\n"));
      const { stdout } = await uv(
        ...["pip", "compile", "--quiet", "--no-header", "--no-annotate", "--no-deps"],
        ...["--index-url", `${index}/simple/`],
        ...(python === ownPython
          ? []
          : ["--python-version", `${python}.30`, "--python-platform", "x86_64-manylinux_2_28"]),
        requirements,
      );
      return [...stdout.matchAll(/^([\w-]+)==(\S+)$/gm)].map(([, name = "", version = ""]) => [name, version]);
    }),
  );
  return new Map(answers.flatMap((answer) => [...answer]));
};

const report = z.object({
  install: z.array(z.object({ metadata: z.object({ name: z.string(), version: z.string() }) })),
});

/** What pip would install: of several names only if there is something for each. */
export async function pipGetsEach(
  scratch: string,
  questions: readonly Question[],
): Promise<(Map<string, string> | undefined)[]> {
  const folder = await mkdtemp(join(scratch, "pip-"));
  const reports = questions.map((_, at) => join(folder, `${at}.json`));
  const succeeded = await pipEach(
    questions.map(({ index, python, names, withDependencies = false }, at) => [
      ...["install", "--dry-run", "--quiet", "--quiet", "--quiet", "--no-build-isolation", "--ignore-installed"],
      ...["--report", reports[at] ?? "", "--index-url", `${index}/simple/`],
      ...(withDependencies ? [] : ["--no-deps"]),
      ...(python === ownPython
        ? []
        : [
            ...["--target", scratch, "--only-binary", ":all:", "--python-version", `${python}.30`],
            ...["--platform", "manylinux_2_17_x86_64"],
          ]),
      ...names,
    ]),
  );
  return Promise.all(
    reports.map(async (path, at) => {
      if (!succeeded[at]) return undefined;
      const { install } = report.parse(JSON.parse(await readFile(path, "utf8")));
      return new Map(install.map(({ metadata: { name, version } }) => [name, version]));
    }),
  );
}

/** The same for several batches of names; where there is nothing for a name, its batch is asked about one by one. */
export async function pipGets(scratch: string, batches: readonly Question[]): Promise<Got> {
  const together = await pipGetsEach(scratch, batches);
  const alone = batches.flatMap((one, at) =>
    together[at] ? [] : one.names.map((name) => ({ ...one, names: [name] })),
  );
  const apart = alone.length === 0 ? [] : await pipGetsEach(scratch, alone);
  const found = new Map([...together, ...apart].flatMap((one) => [...(one ?? [])]));
  return new Map(batches.flatMap(({ names }) => names.map((name) => [name, found.get(name) ?? null])));
}

/** What R lists at addresses, and what it finds in their archives, in one session. */
export async function rGets(
  scratch: string,
  asked: readonly { address: string; name: string; binary: boolean }[],
): Promise<Map<string, { version: string | null; archive: string[] }>> {
  const code = asked
    .map(
      ({ address, name, binary }) =>
        `show("${name}", "${address}", ${binary ? `"${address}/linux/bookworm"` : `"${address}"`})`,
    )
    .join("\n");
  const script = join(await mkdtemp(join(scratch, "r-")), "ask.R");
  await writeFile(
    script,
    `${agent}
seen <- list()
show <- function(name, address, listed) {
  if (is.null(seen[[listed]])) seen[[listed]] <<- available.packages(repos = listed, ignore_repo_cache = TRUE,
    headers = c("User-Agent" = getOption("HTTPUserAgent")))
  at <- seen[[listed]]
  archive <- tryCatch(readRDS(gzcon(url(paste0(address, "/src/contrib/Meta/archive.rds")))), error = function(e) list())
  cat(name, if (name %in% rownames(at)) at[name, "Version"] else "-", rownames(archive[[name]]), "\\n")
}
${code}`,
  );
  const { stdout } = await r(`suppressWarnings(source("${script}"))`);
  return new Map(
    stdout
      .trim()
      .split("\n")
      .map((line) => {
        const [name = "", version = "-", ...archive] = line.trim().split(" ");
        return [name, { version: version === "-" ? null : version, archive }];
      }),
  );
}
