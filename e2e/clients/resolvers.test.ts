import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { type ApiUser, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { inProject, type ProjectClient, pip, uv } from "./programs.ts";
import { type PackageFile, realPythonPackages } from "./real-packages.ts";
import { type Recorder, record } from "./recorder.ts";
import { proves } from "./results-table.ts";

const [newest, older] = ["2.32.5", "2.31.0"];

let product: Product;
let scratch: string;
let token: string;
/** The serial at which the repository had everything but what came later. */
let serial: number;
/** `requests`, newest and older, and the four projects that it depends on. */
let packages: PackageFile[];

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-resolvers-"));
  packages = await realPythonPackages("requests", newest, older);
  product = await startProduct({ environment: { PACKHOUSE_ADMIN_PASSWORD: "administrator's password" } });
  const administrator = await signIn(product, "admin", "administrator's password");
  token = await administrator.createToken("resolvers");
  const real = await administrator.createRepository("Python", "real");
  for (const file of packages) await administrator.upload("Python", "real", file);
  serial = await lastSerial(administrator, real);
  await administrator.upload("Python", "real", await smallWheel("requests", "99.0"));
  await administrator.createRepository("Python", "private", { requiresAuthentication: true });
  await administrator.upload("Python", "private", await smallWheel("shelved", "1.0"));
  await administrator.createRepository("Python", "uploads");
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

async function lastSerial(user: ApiUser, repositoryId: number): Promise<number> {
  const listed = z.object({ snapshots: z.tuple([z.object({ serial: z.number() })], z.unknown()) });
  return listed.parse((await user.call("GET", `/repositories/${repositoryId}/snapshots`)).data).snapshots[0].serial;
}

const scratchFolder = () => mkdtemp(join(scratch, "folder-"));
const indexAt = (address: string, repository = "real") => `${address}/repo/${repository}/simple/`;
/** The repository before the latest upload, which has a newer version of what the tests install. */
const snapshotAt = (address: string, mark = "@") => indexAt(address, `real/${mark}${serial}`);
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

/** All but the older version: what an installation of `requests` consists of. */
const installation = () => packages.filter(({ fileName }) => !fileName.startsWith(`requests-${older}-`));
const nameAndVersion = (fileName: string) => fileName.split("-").slice(0, 2).join("-");
const withDependencies = (version = newest) =>
  installation()
    .map(({ fileName }) => nameAndVersion(fileName).replace(`requests-${newest}`, `requests-${version}`))
    .sort();

/** What lies in a folder for packages, by name and version; without the tools that clients put there by themselves. */
async function installedIn(folder: string): Promise<string[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".dist-info"));
  return names
    .map((name) => name.replace(".dist-info", ""))
    .filter((name) => !name.startsWith("pip-"))
    .sort();
}

/** Files that were asked for, by their names. */
const askedFor = ({ requests }: Recorder, end: string): string[] =>
  requests.filter((one) => one.endsWith(end)).map((one) => one.split("/").at(-1) ?? "");
/** A client resolved by metadata: it read that of each project, and not one whole wheel, nor a part of one. */
function expectMetadataOnly(recorder: Recorder): void {
  expect(askedFor(recorder, ".whl.metadata")).toEqual(
    expect.arrayContaining(installation().map(({ fileName }) => `${fileName}.metadata`)),
  );
  expect(askedFor(recorder, ".whl")).toEqual([]);
}

describe.concurrent("pip", () => {
  test.runIf(isLong)("lists the versions of a project", proves(["pip", "list"]), async () => {
    const { stdout } = await pip("index", "versions", "requests", "--index-url", snapshotAt(product.address));
    expect(stdout).toContain(`Available versions: ${newest}, ${older}`);
  });

  test(
    "installs the newest and an old version with their dependencies",
    proves(["pip", "install"], ["pip", "old version"], ["pip", "snapshot"]),
    async () => {
      for (const [wanted, version] of [
        ["requests", newest],
        [`requests==${older}`, older],
      ] as const) {
        await using recorder = await record(product);
        const target = await scratchFolder();
        await pip("install", "--target", target, "--index-url", snapshotAt(recorder.address), wanted);
        expect(await installedIn(target)).toEqual(withDependencies(version));
        expect(askedFor(recorder, ".whl")).toHaveLength(withDependencies().length);
      }
    },
  );

  test.runIf(isLong)("downloads with dependencies what was uploaded", proves(["pip", "download"]), async () => {
    const folder = await scratchFolder();
    await pip("download", "--dest", folder, "--index-url", indexAt(product.address), `requests==${newest}`);
    const names = await readdir(folder);
    expect(names.sort()).toEqual(
      installation()
        .map(({ fileName }) => fileName)
        .sort(),
    );
    for (const { fileName, bytes } of installation()) expect(await readFile(join(folder, fileName))).toEqual(bytes);
  });

  test.runIf(isLong)(
    "is let into a private repository with a token, and not without",
    proves(["pip", "private"]),
    async () => {
      const folder = await scratchFolder();
      const download = (address: string) =>
        pip("download", "--no-input", "--dest", folder, "--index-url", indexAt(address, "private"), "shelved");
      await expect(download(product.address)).rejects.toBeDefined();
      await download(product.address.replace("//", `//__token__:${token}@`));
      expect(await readdir(folder)).toEqual(["shelved-1.0-py3-none-any.whl"]);
    },
  );

  test.runIf(isLong)("resolves by metadata alone", proves(["pip", "metadata only"]), async () => {
    await using recorder = await record(product);
    const ask = ["install", "--dry-run", "--ignore-installed", "--quiet", "--report", "-"];
    const { stdout } = await pip(...ask, "--index-url", indexAt(recorder.address), `requests==${newest}`);
    const report = z.object({ install: z.array(z.object({ metadata: z.object({ name: z.string() }) })) });
    expect(report.parse(JSON.parse(stdout)).install).toHaveLength(withDependencies().length);
    expectMetadataOnly(recorder);
  });

  test.runIf(isLong)(
    "installs what uv wrote down with digests, and nothing else under its name",
    proves(["pip", "lock, restore"], ["uv", "metadata only"]),
    async () => {
      const folder = await scratchFolder();
      const [wanted, locked, forged] = ["wanted.in", "requirements.txt", "forged.txt"].map((name) =>
        join(folder, name),
      );
      if (!wanted || !locked || !forged) throw new Error("no names");
      await using recorder = await record(product);
      await writeFile(wanted, `requests==${newest}\n`);
      await uv(
        "pip",
        "compile",
        "--generate-hashes",
        "--index-url",
        indexAt(recorder.address),
        "--output-file",
        locked,
        wanted,
      );
      expectMetadataOnly(recorder);

      const restore = ["install", "--require-hashes", "--index-url", indexAt(product.address)];
      await pip(...restore, "--target", join(folder, "site"), "--requirement", locked);
      expect(await installedIn(join(folder, "site"))).toEqual(withDependencies());
      const lock = await readFile(locked, "utf8");
      await writeFile(forged, lock.replaceAll(/sha256:[0-9a-f]{8}/g, "sha256:00000000"));
      const refused = pip(...restore, "--target", join(folder, "other"), "--requirement", forged);
      await expect(refused).rejects.toMatchObject({ stderr: expect.stringContaining("DO NOT MATCH THE HASHES") });
    },
  );
});

interface Project {
  /** What its `pyproject.toml` says of where packages come from, and of nothing else. */
  source(index: string): string;
  lock: string[];
  restore: string[];
  lockFile: string;
  /** How an address has to name a snapshot. */
  snapshotMark: string;
  credentials(): Record<string, string>;
  /** Sends what lies in `dist`. */
  publish(address: string): { parameters: string[]; environment?: Record<string, string> };
}

const projects: Record<ProjectClient, Project> = {
  uv: {
    source: (index) => `[[tool.uv.index]]\nname = "ours"\nurl = "${index}"\ndefault = true\n`,
    lock: ["lock"],
    restore: ["sync", "--frozen"],
    lockFile: "uv.lock",
    snapshotMark: "@",
    credentials: () => ({ UV_INDEX_OURS_USERNAME: "__token__", UV_INDEX_OURS_PASSWORD: token }),
    publish: (address) => ({
      parameters: ["publish", "--trusted-publishing", "never", "--publish-url", address],
      environment: { UV_PUBLISH_USERNAME: "__token__", UV_PUBLISH_PASSWORD: token },
    }),
  },
  poetry: {
    source: (index) =>
      `[tool.poetry]\npackage-mode = false\n[[tool.poetry.source]]\nname = "ours"\nurl = "${index}"\npriority = "primary"\n`,
    lock: ["lock"],
    restore: ["sync"],
    lockFile: "poetry.lock",
    snapshotMark: "@",
    credentials: () => ({ POETRY_HTTP_BASIC_OURS_USERNAME: "__token__", POETRY_HTTP_BASIC_OURS_PASSWORD: token }),
    publish: (address) => ({
      parameters: ["publish", "--repository", "ours"],
      environment: { POETRY_REPOSITORIES_OURS_URL: address, ...projects.poetry.credentials() },
    }),
  },
  pdm: {
    source: (index) => `[tool.pdm]\ndistribution = false\n[[tool.pdm.source]]\nname = "pypi"\nurl = "${index}"\n`,
    lock: ["lock"],
    restore: ["sync"],
    lockFile: "pdm.lock",
    snapshotMark: "%40", // an @ in an address begins a revision to pdm
    credentials: () => ({ PDM_PYPI_USERNAME: "__token__", PDM_PYPI_PASSWORD: token }),
    publish: (address) => ({
      parameters: ["publish", "--no-build", "--repository", address],
      environment: { PDM_PUBLISH_USERNAME: "__token__", PDM_PUBLISH_PASSWORD: token },
    }),
  },
};

/** What each does in the short form; the installations of Poetry and PDM take most of the time. */
const inShort: Record<ProjectClient, readonly ("lock" | "rest")[]> = {
  uv: ["lock", "rest"],
  poetry: [],
  pdm: [],
};
const does = (client: ProjectClient, part: "lock" | "rest") => test.runIf(isLong || inShort[client].includes(part));

describe.concurrent.each(Object.entries(projects) as [ProjectClient, Project][])("%s", (client, project) => {
  const name = `orchardist-${client}`;
  const projectFolder = async (...lines: string[]): Promise<string> => {
    const folder = await scratchFolder();
    const start = ["[project]", `name = "${name}"`, 'version = "1.0"', 'requires-python = ">=3.11"'];
    await writeFile(join(folder, "pyproject.toml"), [...start, ...lines, ""].join("\n"));
    return folder;
  };
  const newProject = (index: string, ...dependencies: string[]) =>
    projectFolder(`dependencies = ${JSON.stringify(dependencies)}`, project.source(index));
  const environmentOf = async (folder: string): Promise<string> => {
    const [python = ""] = await readdir(join(folder, ".venv/lib"));
    return join(folder, ".venv/lib", python, "site-packages");
  };

  does(client, "lock")(
    "locks by metadata alone, and restores the lock elsewhere",
    proves([client, "metadata only"], [client, "lock, restore"]),
    async () => {
      await using recorder = await record(product);
      const first = await newProject(indexAt(recorder.address), `requests==${newest}`);
      await inProject(client, first, project.lock);
      expectMetadataOnly(recorder);
      const lock = await readFile(join(first, project.lockFile), "utf8");
      for (const { bytes } of installation()) expect(lock).toContain(sha256(bytes));

      const second = await newProject(indexAt(recorder.address), `requests==${newest}`);
      await writeFile(join(second, project.lockFile), lock);
      await inProject(client, second, project.restore);
      expect(await installedIn(await environmentOf(second))).toEqual(withDependencies());
      expect(askedFor(recorder, ".whl").sort()).toEqual(
        installation()
          .map(({ fileName }) => fileName)
          .sort(),
      );
    },
  );

  does(client, "rest")(
    "installs the newest version of then, and an old one, with their dependencies",
    proves([client, "install"], [client, "old version"], [client, "snapshot"]),
    async () => {
      const folder = await newProject(snapshotAt(product.address, project.snapshotMark));
      await inProject(client, folder, ["add", "requests"]);
      expect(await installedIn(await environmentOf(folder))).toEqual(withDependencies());
      await inProject(client, folder, ["add", `requests==${older}`]);
      expect(await installedIn(await environmentOf(folder))).toEqual(withDependencies(older));
    },
  );

  does(client, "rest")(
    "is let into a private repository with a token, and not without",
    proves([client, "private"]),
    async () => {
      const folder = await newProject(indexAt(product.address, "private"), "shelved");
      await expect(inProject(client, folder, project.lock)).rejects.toBeDefined();
      await inProject(client, folder, project.lock, project.credentials());
      expect(await readFile(join(folder, project.lockFile), "utf8")).toContain("shelved");
    },
  );

  does(client, "rest")("uploads what it was given to upload", proves([client, "upload"]), async () => {
    const folder = await projectFolder();
    const { fileName, bytes } = await smallWheel(name, "1.0");
    await mkdir(join(folder, "dist"));
    await writeFile(join(folder, "dist", fileName), bytes);
    const { parameters, environment } = project.publish(`${product.address}/repo/uploads/legacy/`);
    await inProject(client, folder, parameters, environment);
    const page = await (await fetch(`${indexAt(product.address, "uploads")}${name}/`)).text();
    expect(page).toContain(sha256(bytes));
  });
});
