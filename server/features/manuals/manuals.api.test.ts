import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { bytesOf } from "@packhouse/formats/byte-source";
import { readDocumentation } from "@packhouse/formats/r/manual/documentation-files";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sweepObjects } from "../../platform/storage/sweep-objects.ts";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { findPdfBuilder } from "./pdf-manual.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const page = (name: string, more = "") =>
  `\\name{${name}}\\alias{${name}}\\title{What ${name} does}\n\\description{It does <b>this</b> & \\link{tide}.}\n${more}`;

async function documentationOf({ bytes, fileName }: { bytes: Uint8Array; fileName: string }) {
  const files = await readDocumentation({ source: bytesOf(bytes), fileName, kind: "source" }, { figures: true });
  if (!files) throw new Error("it has no documentation");
  return files;
}

async function uploaded(files: Record<string, string>, by = admin, fields: Record<string, string> = {}) {
  const repository = await packhouse.given.repository("R");
  const { data } = await by.upload("R", await smallRPackage("tidepool", "1.0", fields, files), {
    repository: repository.name,
    generateManual: "false",
  });
  return `/api/v2/manager/r/packages/${data.packageBag.id}`;
}

describe("the manual of an R package as a page", () => {
  test("is built from its Rd files, none of whose text becomes markup", async () => {
    const path = await uploaded({
      "man/tide.Rd": page("tide", "\\examples{\n1 + 1 # <script>\n}"),
      "man/moon.Rd": page("moon", "\\details{\\Sexpr{system('id')} \\season}"),
      "man/macros/own.Rd": "\\newcommand{\\season}{in spring}",
      "man/windows/other.Rd": page("other"),
      "inst/man/deeper.Rd": page("deeper"),
    });
    const answer = await admin.request(`${path}/manual.html`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(answer.headers.get("content-security-policy")).toBe(
      "sandbox; default-src 'none'; style-src 'unsafe-inline'",
    );
    const text = await answer.text();
    expect(text).toContain("<title>tidepool 1.0 – reference manual</title>");
    expect(text).toContain('It does &lt;b&gt;this&lt;/b&gt; &amp; <a href="#topic-tide">tide</a>.');
    expect(text).toContain("1 + 1 # &lt;script&gt;");
    expect(text).toMatch(/system\(&#39;id&#39;\)[\s\S]*in spring/);
    expect(text).not.toMatch(/<script|What (other|deeper) does/);
  });

  test("is read in the encoding of the package", async () => {
    const repository = await packhouse.given.repository("R");
    const file = await smallRPackage("tidepool", "1.0", { Encoding: "latin1" }, { "man/tide.Rd": page("caf\u00e9") });
    const { data } = await admin.upload("R", file, { repository: repository.name, generateManual: "false" });
    // The archive was written as UTF-8: as latin1 each of the two bytes is a character.
    const answer = await admin.request(`/api/v2/manager/r/packages/${data.packageBag.id}/manual.html`);
    expect(await answer.text()).toContain("What cafÃ© does");
  });

  test("is missing where the package documents nothing", async () => {
    const path = await uploaded({});
    const answer = await admin.request(`${path}/manual.html`);
    expect([answer.status, await answer.json()]).toEqual([
      404,
      expect.objectContaining({ messageCode: "error.manual.not.found" }),
    ]);
  });

  test("of a waiting package is for its uploader and for users who may decide", async () => {
    const uploader = await packhouse.as(await packhouse.given.person("uploader"));
    const stranger = await packhouse.as(await packhouse.given.person("stranger"));
    const path = await uploaded({ "man/tide.Rd": page("tide") }, uploader);
    const codes = await Promise.all(
      [uploader, admin, stranger, packhouse.anonymous].map(
        async (one) => (await one.request(`${path}/manual.html`)).status,
      ),
    );
    expect(codes).toEqual([200, 200, 403, 401]);
  });

  test("is gone when its package is deleted", async () => {
    const path = await uploaded({ "man/tide.Rd": page("tide") });
    await admin.patch(path.replace("/api/v2/manager", ""), [replace("/deleted", true)]);
    expect((await admin.request(`${path}/manual.html`)).status).toBe(404);
  });
});

test("without LaTeX or a sandbox, an upload with a manual is stored with a warning", async () => {
  const programs = process.env.PATH;
  const empty = await mkdtemp(join(tmpdir(), "packhouse-no-programs-"));
  process.env.PATH = empty;
  const pdfBuilder = await findPdfBuilder().finally(() => {
    process.env.PATH = programs;
  });
  const own = await startPackhouse({ settings: { generateManuals: true }, pdfBuilder });
  try {
    const by = await own.as(own.admin);
    const { name: repository } = await own.given.repository("R");
    expect((await by.get("/config")).data.generateManuals).toBe(false);
    const file = await smallRPackage("tidepool", "1.0", {}, { "man/tide.Rd": page("tide") });
    const sent = await by.upload("R", file, { repository, generateManual: "true" });
    expect(sent).toMatchObject({ http: 201, status: "WARNING", messageCode: "manual.generation.unavailable" });
    expect((await by.get(`/r/packages/${sent.data.packageBag.id}`)).data.manualAvailable).toBe(false);
    expect((await by.request(`/api/v2/manager/r/packages/${sent.data.packageBag.id}/manual`)).status).toBe(404);
  } finally {
    await own.close();
    await rm(empty, { recursive: true, force: true });
  }
});

const builder = await findPdfBuilder(5);
if ("missing" in builder) process.stdout.write(`Tests of PDF manuals are left out: ${builder.missing}.\n`);

describe.runIf("build" in builder)("the manual of an R package as PDF", () => {
  const documented = { "man/tide.Rd": page("tide") };
  const broken = { "man/tide.Rd": "\\name{tide}\\title{T}\\description{\\Sexpr[stage=render]{stop('no tide today')}}" };
  const send = async (
    by: Client,
    version: string,
    files: Record<string, string>,
    more: Record<string, string> = {},
  ) => {
    const file = await smallRPackage("tidepool", version, {}, files);
    return by.upload("R", file, { repository: repository.name, generateManual: "true", ...more });
  };
  let repository: { name: string };
  beforeAll(async () => {
    repository = await packhouse.given.repository("R");
  });

  test.runIf(isLong)("is available immediately when its package is accepted on upload", async () => {
    const { http, data } = await send(admin, "1.0", documented);
    expect(http).toBe(201);
    const path = `/r/packages/${data.packageBag.id}`;
    expect((await admin.get(path)).data.manualAvailable).toBe(true);
    const answer = await admin.request(`/api/v2/manager${path}/manual`);
    expect([answer.status, answer.headers.get("content-type"), answer.headers.get("content-disposition")]).toEqual([
      200,
      "application/pdf",
      'attachment; filename="tidepool_1.0_manual.pdf"',
    ]);
    const pdf = Buffer.from(await answer.arrayBuffer());
    expect(pdf.subarray(0, 5).toString()).toBe("%PDF-");
    expect(pdf.length).toBe(Number(answer.headers.get("content-length")));
  });

  test.runIf(isLong)("of a package with dots and upper case in its name is its own", async () => {
    const file = await smallRPackage("R.tideS3", "1.0", {}, documented);
    const fields = { repository: repository.name, generateManual: "true" };
    const { data } = await admin.upload("R", file, fields);
    const answer = await admin.request(`/api/v2/manager/r/packages/${data.packageBag.id}/manual`);
    expect([answer.status, answer.headers.get("content-disposition")]).toEqual([
      200,
      'attachment; filename="R.tideS3_1.0_manual.pdf"',
    ]);
  });

  test("that R cannot typeset refuses the upload, and nothing of it is kept", async () => {
    const objects = async () => (await packhouse.deps.db.selectFrom("objects").select("digest").execute()).length;
    const before = await objects();
    const answer = await send(admin, "2.0", broken);
    expect(answer).toMatchObject({
      http: 422,
      data: [expect.stringMatching(/^could\.not\.generate\.manual: .*no tide today/)],
    });
    expect(await objects()).toBe(before);
    const { data } = await admin.get(`/r/packages?repository=${repository.name}&search=tidepool`);
    expect(data.content.map((one: { version: string }) => one.version)).not.toContain("2.0");
  });

  test.runIf(isLong)("of a waiting package is built once it is accepted", async () => {
    const uploader = await packhouse.as(await packhouse.given.person("author"));
    const sent = await send(uploader, "3.0", documented);
    const failing = await send(uploader, "4.0", broken);
    expect([sent.data.state, failing.data.state]).toEqual(["WAITING", "WAITING"]);
    const read = async (one: typeof sent, by = admin) => (await by.get(`/r/packages/${one.data.packageBag.id}`)).data;
    expect((await read(sent)).manualAvailable).toBe(false);
    for (const one of [sent, failing])
      await admin.patch(`/r/submissions/${one.data.id}`, [replace("/state", "ACCEPTED")]);
    await expect.poll(async () => (await read(sent)).manualAvailable, { timeout: 20_000 }).toBe(true);
    await expect.poll(async () => (await read(failing)).manualFailure, { timeout: 20_000 }).toContain("no tide today");
    expect(await read(failing)).toMatchObject({ manualAvailable: false, active: true });
    expect(await read(failing, uploader)).not.toHaveProperty("manualFailure");
  });

  test.runIf(isLong)(
    "is built by default where the settings require it, and not for binaries",
    async () => {
      const own = await startPackhouse({ settings: { generateManuals: true } });
      try {
        const by = await own.as(own.admin);
        const { name } = await own.given.repository("R");
        expect((await by.get("/config")).data.generateManuals).toBe(true);
        const source = await by.upload("R", await smallRPackage("tidepool", "1.0", {}, documented), {
          repository: name,
        });
        expect((await by.get(`/r/packages/${source.data.packageBag.id}`)).data.manualAvailable).toBe(true);
        const built = { Built: "R 4.2.2; ; 2026-11-21 02:47:12 UTC; unix" };
        const target = { binary: "true", rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
        expect(
          await by.upload("R", await smallRPackage("tidepool", "1.0", built), { repository: name, ...target }),
        ).toMatchObject({
          http: 201,
          status: "WARNING",
          messageCode: "generate.manual.not.supported",
        });
      } finally {
        await own.close();
      }
    },
    60_000,
  );

  test.runIf(isLong)(
    "is built by the next server to start if its job is lost, as in a restored database",
    async () => {
      const { data } = await send(admin, "6.0", documented);
      const { id } = data.packageBag;
      const columns = { manual_wanted: true, manual_digest: null, manual_size: null };
      await packhouse.deps.db.updateTable("packages").set(columns).where("id", "=", id).execute();
      expect((await admin.get(`/r/packages/${id}`)).data.manualAvailable).toBe(false);
      const next = await packhouse.replica();
      await expect
        .poll(async () => (await admin.get(`/r/packages/${id}`)).data.manualAvailable, { timeout: 20_000 })
        .toBe(true);
      await next.close();
    },
    60_000,
  );

  test.runIf(isLong)("keeps its bytes as long as its package refers to them", async () => {
    const { data } = await send(admin, "5.0", documented);
    const path = `/api/v2/manager/r/packages/${data.packageBag.id}/manual`;
    const sweep = () =>
      sweepObjects({ ...packhouse.deps, settings: { ...packhouse.deps.settings, "storage.keepUnnamedHours": 0 } });
    await sweep();
    expect((await admin.request(path)).status).toBe(200);
    const own = `/r/packages/${data.packageBag.id}`;
    await admin.patch(own, [replace("/deleted", true)]);
    expect((await admin.delete(own)).http).toBe(204);
    expect(await sweep()).toBeGreaterThan(0);
  });

  test("is built in a sandbox: code in \\Sexpr has no network, no other files and no time for an endless loop", async () => {
    if (!("build" in builder)) return;
    const secret = join(await mkdtemp(join(tmpdir(), "packhouse-secret-")), "secret");
    await writeFile(secret, "the secret");
    const address = new URL(packhouse.address);
    const probe = (code: string) => `\\Sexpr[stage=render,results=text]{${code}}`;
    const tried = [
      `as.character(file.exists("${secret}"))`,
      `class(try(socketConnection("${address.hostname}", ${address.port}, timeout = 2), silent = TRUE))[1]`,
      `class(try(suppressWarnings(writeLines("x", "/usr/written")), silent = TRUE))[1]`,
      `length(dir("/proc", "^[0-9]+$")) < 20`,
      `paste(names(Sys.getenv())[grepl("PACKHOUSE|SECRET", names(Sys.getenv()))], collapse = "")`,
    ].map((code) => `stop(paste0("<", ${code}, ">"))`);
    const outcomes: string[] = [];
    for (const code of tried) {
      const file = await smallRPackage(
        "tidepool",
        "1.0",
        {},
        {
          "man/tide.Rd": `\\name{tide}\\title{T}\\description{${probe(code)}}`,
        },
      );
      const built = await builder.build(await documentationOf(file));
      outcomes.push("failure" in built ? (/<([^<>]*)>/.exec(built.failure)?.[1] ?? built.failure) : "a PDF");
    }
    expect(outcomes).toEqual(["FALSE", "try-error", "try-error", "TRUE", ""]);

    const endless = await smallRPackage(
      "tidepool",
      "1.0",
      {},
      {
        "man/tide.Rd": `\\name{tide}\\title{T}\\description{${probe("while (TRUE) {}")}}`,
      },
    );
    expect(await builder.build(await documentationOf(endless))).toEqual({
      failure: "it took longer than 5 seconds",
    });
  }, 120_000);
});
