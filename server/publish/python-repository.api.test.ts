import { createHash } from "node:crypto";
import type { HashMethod } from "@packhouse/contract/repositories";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { type SmallPackage, smallSdist, smallWheel } from "../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const json = { headers: { accept: "application/vnd.pypi.simple.v1+json" } };

// PEP 691 and 700.
const list = z.object({ meta: z.unknown(), projects: z.array(z.object({ name: z.string() })) });
const file = z.looseObject({ filename: z.string(), url: z.string(), size: z.int(), "upload-time": z.string() });
const page = z.object({ name: z.string(), versions: z.array(z.string()), files: z.array(file) });
const listOf = async (answer: Response) => list.parse(await answer.json());
const pageOf = async (answer: Response) => page.parse(await answer.json());
const firstFileOf = async (answer: Response) => file.parse((await pageOf(answer)).files[0]);

async function repositoryWith(files: SmallPackage[], hashMethod: HashMethod = "SHA256") {
  const repository = await packhouse.given.repository("Python", { hashMethod });
  const ids = new Map<string, number>();
  for (const file of files) {
    const answer = await admin.upload("Python", file, { repository: repository.name });
    expect([answer.http, answer.data]).toEqual([201, expect.anything()]);
    ids.set(file.fileName, answer.data.packageBag.id);
  }
  const at = (path: string, init?: RequestInit) =>
    packhouse.anonymous.request(`/repo/${repository.name}/${path}`, { redirect: "manual", ...init });
  return { repository, ids, at };
}
const digest = (method: string, file: { bytes: Uint8Array }) => createHash(method).update(file.bytes).digest("hex");

describe("the project list of a Python repository", () => {
  test("names each project that has a public file, at both addresses and in both forms", async () => {
    const { at, ids } = await repositoryWith([
      await smallSdist("Harbor.Tools", "1.0"),
      await smallWheel("harbor_tools", "1.0"),
      await smallSdist("buoy", "0.1"),
    ]);
    const html = await (await at("")).text();
    expect(html.match(/<a .*<\/a>/g)).toEqual(['<a href="buoy/">buoy</a>', '<a href="harbor-tools/">harbor-tools</a>']);
    expect(html).toContain('<meta name="pypi:repository-version" content="1.1">');
    expect(await (await at("simple/")).text()).toBe(html);
    expect(await listOf(await at("", json))).toEqual({
      meta: { "api-version": "1.1" },
      projects: [{ name: "buoy" }, { name: "harbor-tools" }],
    });
    await admin.patch(`/python/packages/${ids.get("buoy-0.1.tar.gz")}`, [replace("/deleted", true)]);
    expect((await listOf(await at("", json))).projects).toEqual([{ name: "harbor-tools" }]);
    expect((await at("buoy/")).status).toBe(404);
  });

  test("has one project for uploads as Foo_Bar, foo-bar and Foo.Bar", async () => {
    const { at } = await repositoryWith([
      await smallSdist("Foo_Bar", "1.0"),
      await smallSdist("foo-bar", "1.1"),
      await smallWheel("Foo.Bar", "1.2"),
    ]);
    expect((await listOf(await at("", json))).projects).toEqual([{ name: "foo-bar" }]);
    expect((await pageOf(await at("foo-bar/", json))).versions).toEqual(["1.0", "1.1", "1.2"]);
  });

  test("of a repository without packages is empty", async () => {
    const { at } = await repositoryWith([]);
    expect((await listOf(await at("", json))).projects).toEqual([]);
  });
});

describe("a project's page", () => {
  test("lists its files from the oldest version to the newest, with what clients choose by", async () => {
    const sdist = await smallSdist("harbor-tools", "1.10", { "Requires-Python": ">=3.8, <4" });
    const wheel = await smallWheel("harbor-tools", "1.9");
    const { at } = await repositoryWith([sdist, wheel]);

    const { files, ...about } = await pageOf(await at("harbor-tools/", json));
    expect(about).toEqual({ name: "harbor-tools", versions: ["1.9", "1.10"] });
    const [first, second] = files;
    expect(first).toMatchObject({
      filename: "harbor_tools-1.9-py3-none-any.whl",
      hashes: { sha256: digest("sha256", wheel) },
      size: wheel.bytes.length,
      yanked: false,
    });
    expect(first?.["upload-time"]).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,6})?Z$/);
    expect(second).toMatchObject({ "requires-python": ">=3.8, <4", "core-metadata": false });

    const html = await (await at("harbor-tools/")).text();
    expect(html).toContain('data-requires-python="&gt;=3.8, &lt;4"');
    expect(html).toContain(`#sha256=${digest("sha256", sdist)}"`);
  });

  test("lists wheels with compressed tags, build tags and abi3 as files of one version", async () => {
    const names = [
      "harbor-1.0-1-py2.py3-none-any.whl",
      "harbor-1.0-2local-py2.py3-none-any.whl",
      "harbor-1.0-cp39-abi3-manylinux_2_17_x86_64.manylinux2014_x86_64.whl",
      "harbor-1.0-py2.py3-none-any.whl",
    ];
    const wheel = await smallWheel("harbor", "1.0");
    const sdist = await smallSdist("harbor", "1.0");
    const { at } = await repositoryWith([...names.map((fileName) => ({ ...wheel, fileName })), sdist]);
    const { versions, files } = await pageOf(await at("harbor/", json));
    expect(versions).toEqual(["1.0"]);
    expect(files.map(({ filename }) => filename).sort()).toEqual([...names, sdist.fileName].sort());
  });

  test("keeps an invalid Requires-Python as it is, escaped as an attribute", async () => {
    const { at } = await repositoryWith([await smallSdist("buoy", "1.0", { "Requires-Python": '"3" <or> so & >2' })]);
    expect(await (await at("buoy/")).text()).toContain(
      'data-requires-python="&quot;3&quot; &lt;or&gt; so &amp; &gt;2"',
    );
    expect((await firstFileOf(await at("buoy/", json)))["requires-python"]).toBe('"3" <or> so & >2');
  });

  test("omits a deactivated file, the equivalent of yanking, until it is activated", async () => {
    const { at, ids } = await repositoryWith([await smallSdist("buoy", "1.0"), await smallSdist("buoy", "1.1")]);
    const path = `/python/packages/${ids.get("buoy-1.1.tar.gz")}`;
    await admin.patch(path, [replace("/active", false)]);
    expect((await pageOf(await at("buoy/", json))).versions).toEqual(["1.0"]);
    expect(await (await at("buoy/")).text()).not.toContain("buoy-1.1");
    await admin.patch(path, [replace("/active", true)]);
    expect((await pageOf(await at("buoy/", json))).versions).toEqual(["1.0", "1.1"]);
  });

  test("links to files that can never change, and to the metadata of wheels", async () => {
    const wheel = await smallWheel("harbor-tools", "1.0", { "Requires-Dist": "buoy" });
    const { at } = await repositoryWith([wheel]);
    for (const root of ["", "simple/"]) {
      const named = await firstFileOf(await at(`${root}harbor-tools/`, json));
      expect(named.url).not.toContain("@");
      const file = await at(`${root}harbor-tools/${named.url}`);
      expect(file.headers.get("cache-control")).toBe("public, max-age=31536000, immutable");
      expect(file.headers.get("content-type")).toBe("application/zip");
      expect(Buffer.from(await file.arrayBuffer())).toEqual(Buffer.from(wheel.bytes));
      const metadata = await at(`${root}harbor-tools/${named.url}.metadata`);
      const text = await metadata.text();
      expect(text).toMatch(/^Requires-Dist: buoy$/m);
      expect(named["core-metadata"]).toEqual({ sha256: createHash("sha256").update(text).digest("hex") });
    }
    const byName = await at("harbor-tools/harbor_tools-1.0-py3-none-any.whl");
    expect(byName.headers.get("cache-control")).toBe("no-cache");
    expect(byName.headers.get("etag")).toBe(`"${digest("sha256", wheel)}"`);
    expect((await at("harbor-tools/harbor_tools-1.0-py3-none-any.whl.metadata")).status).toBe(200);
    expect((await at(`harbor-tools/@blob/${"0".repeat(64)}/harbor_tools-1.0-py3-none-any.whl`)).status).toBe(404);
  });

  test.each([
    ["*/*", "text/html; charset=utf-8"],
    ["text/html;q=0.01, application/vnd.pypi.simple.v1+json", "application/vnd.pypi.simple.v1+json"],
    ["application/vnd.pypi.simple.latest+json", "application/vnd.pypi.simple.v1+json"],
    ["application/vnd.pypi.simple.v1+html", "application/vnd.pypi.simple.v1+html; charset=utf-8"],
  ])("for a client that accepts %s is %s", async (accept, type) => {
    const { at } = await repositoryWith([]);
    const answer = await at("", { headers: { accept } });
    expect(answer.headers.get("content-type")).toBe(type);
    expect(answer.headers.get("vary")).toMatch(/^Accept,/);
  });

  test("for a client that does not say what it accepts is text/html", async () => {
    const { at } = await repositoryWith([]);
    expect((await at("")).headers.get("content-type")).toBe("text/html; charset=utf-8");
  });

  test("is refused to clients that accept none of its forms", async () => {
    const { at } = await repositoryWith([]);
    expect((await at("", { headers: { accept: "image/png" } })).status).toBe(406);
    for (const plus of ["%2B", "+", "%2b"]) {
      const answer = await at(`?format=application/vnd.pypi.simple.v1${plus}json`);
      expect([plus, answer.status, answer.headers.get("content-type")]).toEqual([
        plus,
        200,
        "application/vnd.pypi.simple.v1+json",
      ]);
    }
  });

  test("has one tag for each form and is not sent again to clients that have it", async () => {
    const { at } = await repositoryWith([await smallSdist("buoy", "1.0")]);
    const plain = { "accept-encoding": "identity" };
    const html = (await at("buoy/", { headers: plain })).headers.get("etag") ?? "";
    const asJson = (await at("buoy/", { headers: { ...plain, ...json.headers } })).headers.get("etag") ?? "";
    const packed = await at("buoy/", { headers: { "accept-encoding": "gzip" } });
    expect(packed.headers.get("content-encoding")).toBe("gzip");
    expect(new Set([html, asJson, packed.headers.get("etag")]).size).toBe(3);
    expect((await at("buoy/", { headers: { ...plain, "if-none-match": html } })).status).toBe(304);
    expect((await at("buoy/", { headers: { ...plain, "if-none-match": asJson } })).status).toBe(200);
  });

  test("carries the digest of the repository's method, which may change", async () => {
    const sdist = await smallSdist("buoy", "1.0");
    const { at, repository } = await repositoryWith([sdist], "SHA224");
    expect(await (await at("buoy/")).text()).toContain(`#sha224=${digest("sha224", sdist)}"`);
    await admin.patch(`/python/repositories/${repository.id}`, [replace("/hashMethod", "MD5")]);
    expect(await (await at("buoy/")).text()).toContain(`#md5=${digest("md5", sdist)}"`);
    expect((await firstFileOf(await at("buoy/", json))).hashes).toEqual({
      md5: digest("md5", sdist),
      sha256: digest("sha256", sdist),
    });
  });
});

describe("an address in a Python repository", () => {
  test.each([
    ["Foo_Bar", "foo-bar/"],
    ["foo-bar", "foo-bar/"],
    ["Foo..Bar/?format=text/html", "foo-bar/?format=text/html"],
    ["simple/Foo.Bar", "simple/foo-bar/"],
    ["simple", "simple/"],
    ["Foo_Bar/foo_bar-1.0.tar.gz", "foo-bar/foo_bar-1.0.tar.gz"],
  ])("%s moves to %s", async (path, target) => {
    const { at, repository } = await repositoryWith([]);
    const answer = await at(path);
    expect(answer.status).toBe(301);
    expect(answer.headers.get("location")).toBe(`/repo/${repository.name}/${target}`);
  });

  test("without the last slash of the repository moves there", async () => {
    const { repository } = await repositoryWith([]);
    const answer = await packhouse.anonymous.request(`/repo/${repository.name}`, { redirect: "manual" });
    expect([answer.status, answer.headers.get("location")]).toEqual([301, `/repo/${repository.name}/`]);
  });

  test("of a file with an epoch or a local version is escaped everywhere", async () => {
    const files = [await smallSdist("pierlight", "1!2.0"), await smallWheel("pierlight", "2.0+ubuntu.1")];
    const { at } = await repositoryWith(files);
    for (const { url, filename } of (await pageOf(await at("pierlight/", json))).files) {
      expect(url).toMatch(/^[A-Za-z0-9@/._%-]+$/);
      expect(decodeURIComponent(url)).toContain(filename);
      expect((await at(`pierlight/${url}`)).status).toBe(200);
    }
  });

  test("may spell the plus of a local version either way", async () => {
    const { at } = await repositoryWith([await smallSdist("pierlight", "2.0+ubuntu.1")]);
    expect(await (await at("pierlight/")).text()).toContain("/pierlight-2.0%2Bubuntu.1.tar.gz#");
    for (const plus of ["+", "%2B"])
      expect((await at(`pierlight/pierlight-2.0${plus}ubuntu.1.tar.gz`)).status).toBe(200);
  });

  test("of a project called simple gives its page", async () => {
    const { at } = await repositoryWith([await smallSdist("simple", "1.0")]);
    for (const path of ["simple/", "simple/simple/"]) {
      const { url } = await firstFileOf(await at(path, json));
      expect((await at(path + url)).status).toBe(200);
    }
  });

  test("that names nothing answers 404", async () => {
    const { at } = await repositoryWith([await smallSdist("buoy", "1.0")]);
    for (const path of ["nothing/", "buoy/nothing.tar.gz", "buoy/a/b/c/d", "simple/nothing/", "%00/"])
      expect((await at(path)).status).toBe(404);
  });
});

test("the answer that a file has been lost has none of the headers of the file", async () => {
  const wheel = await smallWheel("buoy", "1.0");
  const { at } = await repositoryWith([wheel]);
  const { url } = await firstFileOf(await at("buoy/", json));
  await packhouse.storage.remove(digest("sha256", wheel));
  for (const headers of [{}, { range: "bytes=0-9" }]) {
    const lost = await at(`buoy/${url}`, { headers });
    expect(lost.status).toBe(500);
    expect(lost.headers.get("cache-control")).toBe("no-store");
    for (const name of ["etag", "accept-ranges", "content-range"]) expect(lost.headers.get(name)).toBeNull();
    expect(await lost.json()).toMatchObject({ status: "ERROR" });
  }
});

describe("a Python file that was replaced", () => {
  test("stays available to clients that have the page that named it", async () => {
    const before = await smallSdist("buoy", "1.0");
    const { at, repository } = await repositoryWith([before]);
    const { url } = await firstFileOf(await at("buoy/", json));
    const after = await smallSdist("buoy", "1.0", { Summary: "Something else." });
    const answer = await admin.upload("Python", after, { repository: repository.name, replace: "true" });
    expect(answer.http).toBe(201);
    expect(Buffer.from(await (await at("buoy/buoy-1.0.tar.gz")).arrayBuffer())).toEqual(Buffer.from(after.bytes));
    expect(Buffer.from(await (await at(`buoy/${url}`)).arrayBuffer())).toEqual(Buffer.from(before.bytes));
  });
});

describe("a repository that needs authentication", () => {
  const basic = (login: string, password: string) => `Basic ${Buffer.from(`${login}:${password}`).toString("base64")}`;

  test("turns away everyone without a valid access token", async () => {
    const repository = await packhouse.given.repository("Python", { requiresAuthentication: true });
    const session = (await admin.post("/api/login", { login: "admin", password: "admin-password" })).data.token;
    for (const authorization of ["", basic("admin", "admin-password"), basic("admin", "pkh_x"), `Bearer ${session}`]) {
      const answer = await packhouse.anonymous.request(
        `/repo/${repository.name}/`,
        authorization ? { headers: { authorization } } : {},
      );
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('Basic realm="Packhouse"');
      expect(answer.headers.get("content-type")).toMatch(/^text\/plain/);
    }
  });

  test("serves clients with one, without shared caching", async () => {
    const repository = await packhouse.given.repository("Python", { requiresAuthentication: true });
    await admin.upload("Python", await smallSdist("buoy", "1.0"), { repository: repository.name });
    const reader = await packhouse.given.person("reader");
    const { authorization } = await packhouse.as(reader);
    const token = authorization.slice("Bearer ".length);
    for (const given of [authorization, basic("reader", token), basic("__token__", token)]) {
      const headers = { authorization: given, ...json.headers };
      const page = await packhouse.anonymous.request(`/repo/${repository.name}/buoy/`, { headers });
      expect(page.status).toBe(200);
      expect(page.headers.get("cache-control")).toBe("private, no-cache");
      expect(page.headers.get("vary")).toMatch(/\bAuthorization\b/);
      const { url } = await firstFileOf(page);
      const file = await packhouse.anonymous.request(`/repo/${repository.name}/buoy/${url}`, { headers });
      expect(file.headers.get("cache-control")).toBe("private, max-age=31536000, immutable");
      expect(file.headers.get("vary")).toBe("Authorization");
    }
    const headers = { authorization: basic("admin", token) };
    expect((await packhouse.anonymous.request(`/repo/${repository.name}/`, { headers })).status).toBe(401);
  });
});
