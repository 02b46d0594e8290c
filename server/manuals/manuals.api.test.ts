import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const page = (name: string, more = "") =>
  `\\name{${name}}\\alias{${name}}\\title{What ${name} does}\n\\description{It does <b>this</b> & \\link{tide}.}\n${more}`;

async function uploaded(files: Record<string, string>, by = admin, fields: Record<string, string> = {}) {
  const repository = await packhouse.given.repository("R");
  const { data } = await by.upload("R", await smallRPackage("tidepool", "1.0", fields, files), {
    repository: repository.name,
    generateManual: "false",
  });
  return `/api/v2/manager/r/packages/${data.packageBag.id}`;
}

describe("the manual of an R package as a page", () => {
  test("is made of its Rd files, with nothing of theirs as markup", async () => {
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

  test("of a waiting package is for its uploader and for who settles it", async () => {
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

  test("is gone with a package that is deleted", async () => {
    const path = await uploaded({ "man/tide.Rd": page("tide") });
    await admin.patch(path.replace("/api/v2/manager", ""), [replace("/deleted", true)]);
    expect((await admin.request(`${path}/manual.html`)).status).toBe(404);
  });
});
