import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { hashPassword } from "@packhouse/server/identity/passwords/password";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "@packhouse/server/testing/small-packages";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { isLong } from "./long-form.ts";
import { pip, r, uv } from "./programs.ts";
import { agent } from "./r-builds.ts";
import { proves } from "./results-table.ts";

/**
 * What the desk reports that clients get before and after a release is accepted, compared with what they get: from the
 * repository before, from the preview, and from the repository after.
 */
const seed = isLong ? Math.floor(Math.random() * 1_000_000) : 20_261_123;
const accepts = isLong ? { Python: 200, R: 100 } : { Python: 8, R: 6 };

let product: Product;
let scratch: string;
let administrator: ApiUser;
let submitter: ApiUser;
let token: string;
/** The R of this machine, such as 4.2. */
let rVersion: string;
let architecture: string;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-impact-"));
  const { stdout } = await r(`cat(format(getRversion()[, 1:2]), R.version$arch)`);
  [rVersion = "", architecture = ""] = stdout.split(" ");
  product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_PEOPLE: JSON.stringify([
        { login: "submitter", passwordHash: await hashPassword("submitter's password") },
      ]),
      PACKHOUSE_R_VERSIONS: rVersion,
      PACKHOUSE_R_ARCHITECTURES: architecture,
    },
  });
  administrator = await signIn(product, "admin", "administrator's password");
  submitter = await signIn(product, "submitter", "submitter's password");
  token = await submitter.createToken("impact");
  await administrator.createRepository("Python", "orchard");
  await administrator.createRepository("R", "north");
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

type File = Omit<SmallPackage, "type"> & { target?: Record<string, string> };

/** One accept: files that are published, and those of the release. */
interface Accept {
  name: string;
  published: File[];
  release: File[];
  /** Of a package that needs this one, as published with it. */
  needed: string | undefined;
  /** uv ignores upper bounds, and takes pre-releases only where a package has nothing else. */
  knownToUv: boolean;
  /** A source can only be built for the Python of this machine. */
  wheelsOnly: boolean;
  /** For the message of a failure. */
  shape: string;
}
interface Waiting extends Accept {
  id: number;
  impact: z.infer<typeof impact>;
}

const impact = z.object({
  installs: z.array(
    z.object({ languageVersions: z.string(), before: z.string().nullable(), after: z.string().nullable() }),
  ),
  dependents: z.array(z.object({ name: z.string(), before: z.string(), after: z.string() })),
  archived: z.string().nullable(),
});

/** The row for a version of the language: `3.9 to 3.11`, `4.2`, or nothing for all. */
function rowFor({ installs }: z.infer<typeof impact>, language: string) {
  const minor = (text: string | undefined) =>
    Number(text?.split(".")[1] ?? Number.NaN) + 100 * Number(text?.split(".")[0]);
  return installs.find(({ languageVersions }) => {
    const [from, to = from] = languageVersions.split(" to ");
    return languageVersions === "" || (minor(from) <= minor(language) && minor(language) <= minor(to));
  });
}

/** Publishes, submits, and reads what the desk reports. */
async function prepare(technology: "R" | "Python", repository: string, accept: Accept): Promise<Waiting> {
  for (const { target, ...file } of accept.published) await administrator.upload(technology, repository, file, target);
  let id = 0;
  for (const { target, ...file } of accept.release) {
    const submission = await submitter.upload(technology, repository, file, target);
    expect(submission.state).toBe("WAITING");
    id ||= submission.id;
  }
  const { data } = await administrator.call("GET", `/submissions/${id}/impact`);
  return { ...accept, id, impact: impact.parse(data) };
}

const inParallel = async <Item, Result>(items: readonly Item[], work: (item: Item) => Promise<Result>) => {
  const results: Result[] = [];
  for (let first = 0; first < items.length; first += 4)
    results.push(...(await Promise.all(items.slice(first, first + 4).map(work))));
  return results;
};

const address = (repository: string, id?: number) =>
  id === undefined
    ? `${product.address}/repo/${repository}`
    : `${product.address.replace("//", `//submitter:${token}@`)}/repo/${repository}/@submission-${id}`;

const accept = ({ id }: Waiting) => administrator.call("POST", `/submissions/${id}/decision`, { decision: "ACCEPTED" });

/** What a client gets by each name; null where it finds nothing for it. */
type Got = Map<string, string | null>;

/** Asks for all names at once, and for each alone if there is nothing for one of them. */
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

// Python -------------------------------------------------------------------------------------------------------------

const tags = [
  "py3-none-any",
  "py2.py3-none-any",
  "cp39-cp39-manylinux_2_17_x86_64",
  "cp311-cp311-manylinux_2_17_x86_64",
  "cp310-abi3-manylinux_2_17_x86_64",
];
const pythonVersions = ["0.9", "1.0", "1.0.post1", "1.1", "1.2rc1", "1.10", "2.0a1", "2.0"];
const bounds = ["", "", "", ">=3.9", ">=3.10", ">=3.12", "<3.12", ">=3.9,!=3.11.*", "~=3.10"];
const constraints = [">=1.0", "<2", "==1.0", "!=1.1", "~=1.0", ">=1.2rc1", "===2.0", ""];

const isPreRelease = (version: string) => /\d(a|rc)\d/.test(version);
const pythonAccepts = fc
  .record({ sources: fc.boolean(), preReleases: fc.boolean(), upper: fc.boolean(), needed: fc.boolean() })
  .chain(({ sources, preReleases, upper, needed }) => {
    const version = fc.record({
      files: fc.uniqueArray(fc.constantFrom(...(sources ? ["sdist"] : []), ...tags), { minLength: 1, maxLength: 2 }),
      requires: fc.constantFrom(...bounds.filter((bound) => upper || !/[<!]/.test(bound))),
    });
    const versions = pythonVersions.filter((one) => preReleases || !isPreRelease(one));
    return fc.record({
      versions: fc.uniqueArray(fc.constantFrom(...versions), { minLength: 2, maxLength: 4 }),
      each: fc.array(version, { minLength: 4, maxLength: 4 }),
      constraint: needed ? fc.constantFrom(...constraints) : fc.constant(undefined),
    });
  });
type PythonAccept = typeof pythonAccepts extends fc.Arbitrary<infer Value> ? Value : never;

async function pythonFile(name: string, version: string, kind: string, requires: string): Promise<File> {
  const fields = { "Metadata-Version": "2.2", ...(requires === "" ? {} : { "Requires-Python": requires }) };
  if (kind !== "sdist") {
    const wheel = await smallWheel(name, version, fields);
    return { ...wheel, fileName: wheel.fileName.replace("py3-none-any", kind) };
  }
  // pip asks the build for what uv reads.
  const setup = `from setuptools import setup\nsetup(name="${name}", version="${version}", python_requires="${requires}")\n`;
  return smallSdist(name, version, fields, { "setup.py": setup });
}

async function pythonAccept(given: PythonAccept, index: number): Promise<Accept> {
  const name = `accept${index}`;
  const [released = "", ...published] = given.versions;
  // A dependent is asked about where every Python can have every version.
  const { constraint } = given;
  const filesOf = (version: string, place: number) => {
    const { files = [], requires = "" } = given.each[place] ?? {};
    return constraint === undefined
      ? files.map((kind) => pythonFile(name, version, kind, requires))
      : [pythonFile(name, version, "py3-none-any", "")];
  };
  const dependent =
    constraint === undefined ? [] : [smallWheel(`needs-${name}`, "1.0", { "Requires-Dist": `${name}${constraint}` })];
  return {
    name,
    published: await Promise.all([...published.flatMap((version, at) => filesOf(version, at + 1)), ...dependent]),
    release: await Promise.all(filesOf(released, 0)),
    needed: constraint,
    knownToUv: !given.versions.some(isPreRelease) && !given.each.some(({ requires }) => /[<!]/.test(requires)),
    wheelsOnly: constraint !== undefined || given.each.every(({ files }) => !files.includes("sdist")),
    shape: JSON.stringify(given),
  };
}

/** The Python of this machine, and others, for which only wheels can be chosen. */
const ownPython = "3.11";
const pythons = isLong ? ["3.9", "3.10", ownPython, "3.12", "3.13"] : [ownPython, "3.9", "3.13"];

interface Question {
  index: string;
  python: string;
  names: readonly string[];
  /** Whether what they need must be there, too. */
  withDependencies?: boolean;
}

/** What uv would lock. */
const uvGets = ({ index, python, names, withDependencies = false }: Question): Promise<Got> =>
  gotBy(names, async (asked) => {
    const requirements = join(await mkdtemp(join(scratch, "uv-")), "requirements.in");
    await writeFile(requirements, asked.join("\n"));
    const { stdout } = await uv(
      ...["pip", "compile", "--quiet", "--no-header", "--no-annotate", "--index-url", `${index}/simple/`],
      ...(withDependencies ? [] : ["--no-deps"]),
      ...(python === ownPython
        ? []
        : ["--python-version", `${python}.30`, "--python-platform", "x86_64-manylinux_2_28"]),
      requirements,
    );
    return [...stdout.matchAll(/^([\w-]+)==(\S+)$/gm)].map(([, name = "", version = ""]) => [name, version]);
  });

const report = z.object({
  install: z.array(z.object({ metadata: z.object({ name: z.string(), version: z.string() }) })),
});

/** What pip would install. */
const pipGets = ({ index, python, names, withDependencies = false }: Question): Promise<Got> =>
  gotBy(names, async (asked) => {
    const { stdout } = await pip(
      ...["install", "--dry-run", "--quiet", "--no-build-isolation", "--ignore-installed", "--report", "-"],
      ...["--index-url", `${index}/simple/`],
      ...(withDependencies ? [] : ["--no-deps"]),
      ...(python === ownPython
        ? []
        : [
            ...["--target", scratch, "--only-binary", ":all:", "--python-version", `${python}.30`],
            ...["--platform", "manylinux_2_17_x86_64"],
          ]),
      ...asked,
    );
    return report.parse(JSON.parse(stdout)).install.map(({ metadata: { name, version } }) => [name, version]);
  });

const clients = { uv: uvGets, pip: pipGets };
const knows = (client: keyof typeof clients, python: string) => (one: Waiting) =>
  (client === "pip" || one.knownToUv) && (python === ownPython || one.wheelsOnly);

test("pip and uv get what the desk says, before and after", proves(["pip", "install"], ["uv", "install"]), async () => {
  const given = fc.sample(pythonAccepts, { numRuns: accepts.Python, seed });
  const waiting = await inParallel(given, async (one) =>
    prepare("Python", "orchard", await pythonAccept(one, given.indexOf(one))),
  );
  const wrong: string[] = [];
  let compared = 0;
  const compare = async (
    when: "before" | "after",
    some: readonly Waiting[],
    { index, client, python }: { index: string; client: keyof typeof clients; python: string },
  ) => {
    const asked = some.filter(knows(client, python));
    if (asked.length === 0) return;
    // Those for which there should be nothing are asked about alone: one of them would fail the call for all.
    const saidOf = ({ impact }: Waiting) => rowFor(impact, python)?.[when];
    const [absent, present] = [asked.filter((one) => !saidOf(one)), asked.filter(saidOf)];
    const batches = [present, ...absent.map((one) => [one])].filter((batch) => batch.length > 0);
    const answers = await inParallel(batches, (batch) =>
      clients[client]({ index, python, names: batch.map(({ name }) => name) }),
    );
    const got: Got = new Map(answers.flatMap((answer) => [...answer]));
    for (const one of asked) {
      const { name, shape } = one;
      const [version, said] = [got.get(name) ?? null, saidOf(one)];
      compared += 1;
      if (said !== version) wrong.push(`${client} for ${python}, ${when}: ${version} instead of ${said} of ${shape}`);
    }
  };
  const compareDependents = async (when: "before" | "after") => {
    const needing = waiting.filter(({ needed }) => needed !== undefined);
    await inParallel(needing, async ({ name, impact: { dependents }, shape }) => {
      const names = [`needs-${name}`];
      const found = await pipGets({ index: address("orchard"), python: ownPython, names, withDependencies: true });
      const state = found.get(`needs-${name}`) ? "satisfied" : "unsatisfied";
      const said = dependents.find((one) => one.name === `needs-${name}`)?.[when];
      compared += 1;
      if (state !== said) wrong.push(`pip, ${when}: needs-${name} is ${state} instead of ${said} of ${shape}`);
    });
  };
  const compareAll = async (when: "before" | "after") => {
    for (const python of pythons)
      for (const client of ["uv", "pip"] as const)
        await compare(when, waiting, { index: address("orchard"), client, python });
    await compareDependents(when);
  };

  await compareAll("before");
  await inParallel(waiting, async (one) => {
    for (const python of pythons)
      await compare("after", [one], { index: address("orchard", one.id), client: "uv", python });
  });
  for (const one of waiting.slice(0, isLong ? 50 : 2))
    await compare("after", [one], { index: address("orchard", one.id), client: "pip", python: ownPython });
  for (const one of waiting) await accept(one);
  await compareAll("after");
  expect(compared).toBeGreaterThan(accepts.Python * 4);
  expect(wrong).toEqual([]);
});

// R ------------------------------------------------------------------------------------------------------------------

const rVersions = ["0.9", "1.0", "1.0-1", "1.1", "1.10", "2.0.1"];
const depends = ["", "", "R (>= 3.5)", "R (>= 4.2)", "R (>= 4.2.1)", "R (>= 4.3)", "R (< 4.0)", "R (>= 4.0), methods"];
const rAccepts = fc.record({
  versions: fc.uniqueArray(fc.constantFrom(...rVersions), { minLength: 1, maxLength: 4 }),
  depends: fc.array(fc.constantFrom(...depends), { minLength: 4, maxLength: 4 }),
  binary: fc.boolean(),
});

type RAccept = typeof rAccepts extends fc.Arbitrary<infer Value> ? Value : never;

async function rAccept(given: RAccept, index: number): Promise<Accept> {
  const name = `accept${index}`;
  const [released = "", ...published] = given.versions;
  const file = (version: string, at: number): Promise<File> => {
    const needs = given.depends[at] ?? "";
    return smallRPackage(name, version, needs === "" ? {} : { Depends: needs });
  };
  const binary = async (version: string): Promise<File> => ({
    ...(await smallRPackage(name, version, {
      Built: `R ${rVersion}.0; ; 2026-11-21 02:47:12 UTC; unix`,
    })),
    target: { rVersion, architecture, binary: "true", distribution: "bookworm" },
  });
  const build = given.binary ? binary : file;
  return {
    name,
    published: await Promise.all(published.map((version, at) => build(version, at + 1))),
    release: [await build(released, 0)],
    needed: undefined,
    knownToUv: false,
    wheelsOnly: false,
    shape: JSON.stringify(given),
  };
}

/** What R lists at addresses, and what it finds in their archives, in one session. */
async function rGets(
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

test(
  "R gets what the desk says, before and after, and what leaves the index is in the archive",
  proves(["R", "list"]),
  async () => {
    const given = fc.sample(rAccepts, { numRuns: accepts.R, seed });
    const waiting = await inParallel(given, async (one) => ({
      ...(await prepare("R", "north", await rAccept(one, given.indexOf(one)))),
      binary: one.binary,
    }));
    const wrong: string[] = [];
    const ask = async (when: "before" | "after", where: (id: number) => string) => {
      const got = await rGets(waiting.map(({ id, name, binary }) => ({ address: where(id), name, binary })));
      for (const { name, impact, shape } of waiting) {
        const { version = null, archive = [] } = got.get(name) ?? {};
        const said = rowFor(impact, rVersion)?.[when];
        if (said !== version) wrong.push(`${when}: ${version} instead of ${said} of ${shape}`);
        if (impact.archived === null) continue;
        const archived = archive.includes(`${name}/${name}_${impact.archived}.tar.gz`);
        if (archived !== (when === "after"))
          wrong.push(`${when}: ${impact.archived} is ${archived ? "" : "not "}in the archive, ${shape}`);
      }
    };
    await ask("before", () => address("north"));
    await ask("after", (id) => address("north", id));
    for (const one of waiting) await accept(one);
    await ask("after", () => address("north"));
    expect(wrong).toEqual([]);
  },
);
