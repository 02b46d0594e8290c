import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import type { ApiUser, Product } from "@packhouse/server/testing/product";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "@packhouse/server/testing/small-packages";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { proves } from "../results-table.ts";
import { startWithSubmitter, type WithSubmitter } from "../submitters.ts";
import { inParallel, ownPython, pipGets, pipGetsEach, rGets, uvGets } from "./resolved-versions.ts";

/**
 * What the desk shows that clients get before and after a release is accepted, compared with what they get: from the
 * repository before, from the preview, and from the repository after.
 */
const seed = isLong ? Math.floor(Math.random() * 1_000_000) : 20_261_123;
const accepts = isLong ? { Python: 200, R: 100 } : { Python: 2, R: 2 };

let product: Product;
let scratch: string;
let administrator: ApiUser;
let submitter: ApiUser;
let token: string;
let here: WithSubmitter["here"];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-impact-"));
  ({ product, administrator, submitter, token, here } = await startWithSubmitter());
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

/** Publishes, submits, and reads what the desk shows. */
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

const address = (repository: string, id?: number) =>
  id === undefined
    ? `${product.address}/repo/${repository}`
    : `${product.address.replace("//", `//submitter:${token}@`)}/repo/${repository}/@submission-${id}`;

const accept = ({ id }: Waiting) => administrator.call("POST", `/submissions/${id}/decision`, { decision: "ACCEPTED" });

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

/** For those that are not on this machine, only wheels can be chosen. */
const pythons = isLong ? ["3.9", "3.10", ownPython, "3.12", "3.13"] : [ownPython, "3.9"];

const clients = { uv: uvGets, pip: pipGets };
const knows = (client: keyof typeof clients, python: string) => (one: Waiting) =>
  (client === "pip" || one.knownToUv) && (python === ownPython || one.wheelsOnly);

test("pip and uv get what the desk shows, before and after", {
  ...proves(["pip", "install"], ["uv", "install"]),
  timeout: isLong ? 1_800_000 : 300_000,
}, async () => {
  const given = fc.sample(pythonAccepts, { numRuns: accepts.Python, seed });
  const waiting = await inParallel(given, async (one) =>
    prepare("Python", "orchard", await pythonAccept(one, given.indexOf(one))),
  );
  const wrong: string[] = [];
  let compared = 0;
  const compare = async (
    when: "before" | "after",
    indexOf: (one: Waiting) => string,
    { client, python, some = waiting }: { client: keyof typeof clients; python: string; some?: readonly Waiting[] },
  ) => {
    const asked = some.filter(knows(client, python));
    // Those for which there should be nothing are asked about alone: one of them would fail the call for all.
    const shownOf = ({ impact }: Waiting) => rowFor(impact, python)?.[when];
    const [absent, present] = [asked.filter((one) => !shownOf(one)), asked.filter(shownOf)];
    const batches = [...Map.groupBy(present, indexOf).values(), ...absent.map((one) => [one])];
    const got = await clients[client](
      scratch,
      batches.flatMap((batch) =>
        batch[0] ? { index: indexOf(batch[0]), python, names: batch.map(({ name }) => name) } : [],
      ),
    );
    for (const one of asked) {
      const { name, shape } = one;
      const [version, shown] = [got.get(name) ?? null, shownOf(one)];
      compared += 1;
      if (shown !== version) wrong.push(`${client} for ${python}, ${when}: ${version} instead of ${shown} of ${shape}`);
    }
  };
  const compareDependents = async (when: "before" | "after") => {
    const needing = waiting.filter(({ needed }) => needed !== undefined);
    const asked = needing.map(({ name }) => `needs-${name}`);
    const found = await pipGetsEach(
      scratch,
      asked.map((name) => ({ index: address("orchard"), python: ownPython, names: [name], withDependencies: true })),
    );
    for (const [at, { name, impact, shape }] of needing.entries()) {
      const state = found[at] ? "satisfied" : "unsatisfied";
      const shown = impact.dependents.find((one) => one.name === `needs-${name}`)?.[when];
      compared += 1;
      if (state !== shown) wrong.push(`pip, ${when}: needs-${name} is ${state} instead of ${shown} of ${shape}`);
    }
  };
  const compareAll = async (when: "before" | "after") => {
    for (const python of pythons)
      for (const client of ["uv", "pip"] as const) await compare(when, () => address("orchard"), { client, python });
    await compareDependents(when);
  };

  await compareAll("before");
  const previewOf = ({ id }: Waiting) => address("orchard", id);
  // Each preview is an address of its own, and so a call: with this machine's Python, and one of the others.
  const others = pythons.filter((python) => python !== ownPython);
  await compare("after", previewOf, { client: "uv", python: ownPython });
  for (const [place, python] of others.entries())
    await compare("after", previewOf, {
      client: "uv",
      python,
      some: waiting.filter((_, at) => at % others.length === place),
    });
  await compare("after", previewOf, { client: "pip", python: ownPython });
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
      Built: `R ${here.rVersion}.0; ; 2026-11-21 02:47:12 UTC; unix`,
    })),
    target: { ...here, binary: "true", distribution: "bookworm" },
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

test(
  "R gets what the desk shows, before and after, and what leaves the index is in the archive",
  proves(["R", "list"]),
  async () => {
    const given = fc.sample(rAccepts, { numRuns: accepts.R, seed });
    const waiting = await inParallel(given, async (one) => ({
      ...(await prepare("R", "north", await rAccept(one, given.indexOf(one)))),
      binary: one.binary,
    }));
    const wrong: string[] = [];
    const ask = async (when: "before" | "after", where: (id: number) => string) => {
      const got = await rGets(
        scratch,
        waiting.map(({ id, name, binary }) => ({ address: where(id), name, binary })),
      );
      for (const { name, impact, shape } of waiting) {
        const { version = null, archive = [] } = got.get(name) ?? {};
        const shown = rowFor(impact, here.rVersion)?.[when];
        if (shown !== version) wrong.push(`${when}: ${version} instead of ${shown} of ${shape}`);
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
