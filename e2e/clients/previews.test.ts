import { createHash } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { isLong } from "@packhouse/fixtures/long-form";
import type { ApiUser, Product } from "@packhouse/server/testing/product";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { debianPip, type Output, pip, r, uv } from "./programs.ts";
import { agent, buildWithR } from "./r-builds.ts";
import { type Recorder, record } from "./recorder.ts";
import { proves } from "./results-table.ts";
import { startWithSubmitter, type WithSubmitter } from "./submitters.ts";

type File = Omit<SmallPackage, "type">;

let product: Product;
let scratch: string;
let administrator: ApiUser;
let submitter: ApiUser;
let token: string;
/** Submissions that wait. */
const waiting = { R: 0, Python: 0 };
const previewed = { R: "", Python: "" };
/** What nobody else may see, by SHA-256. */
const secret = new Map<string, string>();
/** Every path that a client has asked for in a preview. */
const asked = new Set<string>();

/** A source distribution that Debian's setuptools can build. */
const sdist = (version: string): Promise<File> =>
  smallSdist(
    "seedtray",
    version,
    {},
    {
      "setup.py": `from setuptools import setup\nsetup(name="seedtray", version="${version}", py_modules=["seedtray"])\n`,
      "seedtray.py": `version = "${version}"\n`,
    },
  );

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-previews-"));
  let here: WithSubmitter["here"];
  ({ product, administrator, submitter, token, here } = await startWithSubmitter());
  const wait = async (technology: "R" | "Python", repository: string, file: File, more?: Record<string, string>) => {
    const { id, state } = await submitter.upload(technology, repository, file, more);
    expect(state).toBe("WAITING");
    secret.set(sha256(file.bytes), file.fileName);
    waiting[technology] ||= id;
  };

  await administrator.createRepository("Python", "orchard");
  await administrator.upload("Python", "orchard", await sdist("1.0"));
  await wait("Python", "orchard", await sdist("1.1"));
  await wait("Python", "orchard", await smallWheel("seedtray", "1.1", {}, { "seedtray.py": 'version = "1.1"\n' }));
  await administrator.createRepository("R", "north");
  const target = { ...here, binary: "true", distribution: "bookworm" };
  await administrator.upload("R", "north", await smallRPackage("tidepool", "1.0"));
  const next = await buildWithR(scratch, "tidepool", "1.1", false);
  await wait("R", "north", next.source);
  await wait("R", "north", next.binary, target);
  previewed.Python = `/repo/orchard/@submission-${waiting.Python}`;
  previewed.R = `/repo/north/@submission-${waiting.R}`;
}, 300_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const folder = () => mkdtemp(join(scratch, "folder-"));

/** Runs a client on a preview, signed in by its address as most are, or not at all. */
async function client(
  run: (address: (path: string) => string) => Promise<Output>,
  signedIn = true,
): Promise<Output & { requests: string[] }> {
  await using recorder: Recorder = await record(product);
  const address = signedIn ? recorder.address.replace("//", `//submitter:${token}@`) : recorder.address;
  const output = await run((path) => address + path);
  const requests = recorder.requests.map((one) => one.split(" ")[1] ?? "");
  for (const path of requests) if (path.includes("/@submission-")) asked.add(path);
  return { ...output, requests };
}

const refusal = (outcome: Promise<Output>): Promise<string> =>
  outcome.then(
    ({ stdout, stderr }) => `no error: ${stdout}${stderr}`,
    (error: Partial<Output>) => `${error.stdout}${error.stderr}`,
  );

const pipInstall = (address: string, into: string, ...what: string[]) =>
  pip("install", "-vv", "--no-input", "--no-deps", "--target", into, "--index-url", `${address}/simple/`, ...what);
const uvInstall = (address: string, into: string, ...what: string[]) =>
  uv("pip", "install", "--no-deps", "--target", into, "--index-url", `${address}/simple/`, ...what);
const rInstall = (address: string, library: string) =>
  r(`options(warn = 1)
     install.packages("tidepool", lib = "${library}", repos = "${address}", type = "source")
     cat("\nversion", as.character(packageVersion("tidepool", lib.loc = "${library}")))`);

const moduleIn = async (path: string) => readFile(join(path, "seedtray.py"), "utf8");

describe("from a preview", () => {
  test.runIf(isLong)(
    "pip installs the wheel, the source and the published version",
    proves(["pip", "install"]),
    async () => {
      const [wheel, source, old] = [await folder(), await folder(), await folder()];
      const { requests } = await client((at) => pipInstall(at(previewed.Python), wheel, "seedtray"));
      expect(await moduleIn(wheel)).toBe('version = "1.1"\n');
      expect(requests.some((path) => path.endsWith(".whl"))).toBe(true);

      for (const [into, ...what] of [
        [source, "--no-binary", "seedtray", "seedtray"],
        [old, "seedtray==1.0"],
      ] as const)
        await client((at) =>
          debianPip(
            "install",
            "--no-deps",
            "--no-build-isolation",
            "--target",
            into,
            "--index-url",
            `${at(previewed.Python)}/simple/`,
            ...what,
          ),
        );
      expect(await moduleIn(source)).toBe('version = "1.1"\n');
      expect(await moduleIn(old)).toBe('version = "1.0"\n');
    },
  );

  test("uv installs the wheel, with its credentials in a netrc file", proves(["uv", "install"]), async () => {
    const [target, netrc] = [await folder(), join(await folder(), "netrc")];
    await writeFile(netrc, `machine localhost login submitter password ${token}\n`, { mode: 0o600 });
    process.env.NETRC = netrc;
    try {
      await client((at) => uvInstall(at(previewed.Python), target, "seedtray"), false);
    } finally {
      delete process.env.NETRC;
    }
    expect(await moduleIn(target)).toBe('version = "1.1"\n');
    const again = await folder();
    await client((at) => uvInstall(at(previewed.Python), again, "seedtray"));
    expect(await readdir(again)).toContain("seedtray-1.1.dist-info");
  });

  test(
    "R installs the source, the binary, and from the archive what was published",
    proves(["R", "install"], ["R", "binaries"], ["R", "old version"]),
    async () => {
      const [source, binary, old] = [await folder(), await folder(), await folder()];
      const installed = await client((at) => rInstall(at(previewed.R), source));
      expect(installed.stdout).toMatch(/version 1\.1$/);
      const prebuilt = await client((at) =>
        r(`${agent}
           install.packages("tidepool", lib = "${binary}", repos = "${at(previewed.R)}/linux/bookworm",
             headers = c("User-Agent" = getOption("HTTPUserAgent")))
           cat("\nversion", as.character(packageVersion("tidepool", lib.loc = "${binary}")))`),
      );
      expect(prebuilt.stdout).toMatch(/version 1\.1$/);
      expect(prebuilt.stdout + prebuilt.stderr).toContain("installing *binary* package");
      const archived = await client((at) =>
        r(`archive <- readRDS(gzcon(url("${at(previewed.R)}/src/contrib/Meta/archive.rds")))
           path <- rownames(archive$tidepool)
           install.packages(paste0("${at(previewed.R)}/src/contrib/Archive/", path), lib = "${old}", repos = NULL,
             type = "source", quiet = TRUE)
           cat("\nversion", path, as.character(packageVersion("tidepool", lib.loc = "${old}")))`),
      );
      expect(archived.stdout).toMatch(/version tidepool\/tidepool_1\.0\.tar\.gz 1\.0$/);
    },
  );

  test("nobody installs without a token", proves(["pip", "private"], ["uv", "private"], ["R", "private"]), async () => {
    const outcomes = [
      await refusal(client(async (at) => pipInstall(at(previewed.Python), await folder(), "seedtray"), false)),
      await refusal(client(async (at) => uvInstall(at(previewed.Python), await folder(), "seedtray"), false)),
    ];
    for (const outcome of outcomes) expect(outcome).toMatch(/401|[Uu]nauthorized|access token/);
    // R only reports that there is no index.
    expect(await refusal(client(async (at) => rInstall(at(previewed.R), await folder()), false))).toMatch(
      /unable to access index/,
    );
  });
});

test("what clients read of a preview is for them alone, and not under the public address", async () => {
  const signedIn = { authorization: `Basic ${Buffer.from(`submitter:${token}`).toString("base64")}` };
  // In their short form the clients above do not ask for every file that is offered to them.
  const page = `${product.address}${previewed.Python}/simple/seedtray/`;
  const html = await (await fetch(page, { headers: signedIn })).text();
  for (const [, link = ""] of html.matchAll(/href="([^"#]+)/g)) asked.add(new URL(link, page).pathname);
  for (const end of [
    "/simple/seedtray/",
    "/seedtray-1.1-py3-none-any.whl",
    "/seedtray-1.1.tar.gz",
    "/seedtray-1.0.tar.gz",
    `${previewed.R}/src/contrib/PACKAGES.rds`,
    "linux/bookworm/src/contrib/PACKAGES.rds",
    "/tidepool_1.1.tar.gz",
    "/Archive/tidepool/tidepool_1.0.tar.gz",
  ])
    expect([...asked].find((path) => path.endsWith(end))).toBeDefined();
  const wrong: string[] = [];
  for (const path of asked) {
    const own = await fetch(product.address + path, { headers: signedIn, redirect: "manual" });
    if (own.headers.get("cache-control") !== "private, no-store") wrong.push(`${path}: may be kept`);
    await own.arrayBuffer();
    if ((await fetch(product.address + path, { redirect: "manual" })).status !== 401) wrong.push(`${path}: open`);
    const open = path.replace(/\/@submission-\d+/, "");
    for (const headers of [{}, signedIn]) {
      const answer = await fetch(product.address + open, { headers });
      const bytes = Buffer.from(await answer.arrayBuffer());
      const file = secret.get(sha256(bytes));
      const plain = bytes.subarray(0, 2).toString("hex") === "1f8b" ? gunzipSync(bytes) : bytes;
      if (file || plain.includes("1.1.tar.gz") || plain.includes("Version: 1.1") || plain.includes("-1.1-"))
        wrong.push(`${open}: ${file ?? "names the waiting version"}`);
    }
  }
  expect(wrong).toEqual([]);
});

test("a preview ends with the decision, and then everyone gets the version", async () => {
  for (const technology of ["R", "Python"] as const)
    await administrator.call("POST", `/submissions/${waiting[technology]}/decision`, { decision: "ACCEPTED" });
  expect(await refusal(client(async (at) => pipInstall(at(previewed.Python), await folder(), "seedtray")))).toContain(
    "404",
  );
  expect(await refusal(client(async (at) => uvInstall(at(previewed.Python), await folder(), "seedtray")))).toMatch(
    /404|not found/,
  );
  expect(await refusal(client(async (at) => rInstall(at(previewed.R), await folder())))).toMatch(
    /unable to access index/,
  );
  const signedIn = { authorization: `Basic ${Buffer.from(`submitter:${token}`).toString("base64")}` };
  for (const path of asked)
    expect([path, (await fetch(product.address + path, { headers: signedIn })).status]).toEqual([path, 404]);
  const target = await folder();
  await pipInstall(`${product.address}/repo/orchard`, target, "seedtray");
  expect(await moduleIn(target)).toBe('version = "1.1"\n');
}, 300_000);
