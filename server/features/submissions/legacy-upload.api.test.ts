import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallWheel } from "../../testing/small-packages.ts";

interface File {
  fileName: string;
  bytes: Uint8Array;
}
const sha256 = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");
const basic = (login: string, token: string) => `Basic ${Buffer.from(`${login}:${token}`).toString("base64")}`;

let packhouse: TestPackhouse;
const credentials: Record<"admin" | "stranger", string> = { admin: "", stranger: "" };

beforeAll(async () => {
  packhouse = await startPackhouse();
  await packhouse.given.repository("Python", { name: "shelf", published: true });
  await packhouse.given.repository("R", { name: "cran-like", published: true });
  for (const [name, person] of [
    ["admin", packhouse.admin],
    ["stranger", await packhouse.given.person("stranger")],
  ] as const) {
    const session = await packhouse.bySession(person);
    const { data } = await session.post("/access-tokens", { name: "twine", lifetime: "30" });
    credentials[name] = basic(person.login, data.value);
  }
});
afterAll(() => packhouse.close());

/** An upload as twine sends it, with some fields replaced. */
async function upload(
  { fileName, bytes }: File,
  authorization: string | undefined,
  {
    path = "shelf/legacy/",
    fields = {},
    files = {},
  }: { path?: string; fields?: Record<string, string>; files?: Record<string, string> } = {},
) {
  const form = new FormData();
  const usual = {
    ":action": "file_upload",
    protocol_version: "1",
    sha256_digest: sha256(bytes),
    filetype: "bdist_wheel",
  };
  for (const [name, value] of Object.entries({ ...usual, ...fields })) form.append(name, value);
  form.append("description", "# A README\n".repeat(20_000));
  for (let count = 0; count < 60; count += 1) form.append("classifiers", `Topic :: Number ${count}`);
  for (const [name, content] of Object.entries(files)) form.append(name, new Blob([content]), `${fileName}.asc`);
  form.append("content", new Blob([Uint8Array.from(bytes)], { type: "application/octet-stream" }), fileName);
  const answer = await fetch(`${packhouse.address}/repo/${path}`, {
    method: "POST",
    body: form,
    headers: authorization ? { authorization } : {},
  });
  return { status: answer.status, reason: answer.statusText, text: await answer.text(), headers: answer.headers };
}

async function rows(): Promise<number[]> {
  const { db } = packhouse.deps;
  const counted = await Promise.all(
    (["packages", "submissions", "objects", "events"] as const).map((table) =>
      db
        .selectFrom(table)
        .select(({ fn }) => fn.countAll<number>().as("rows"))
        .executeTakeFirstOrThrow(),
    ),
  );
  return counted.map((it) => it.rows);
}

describe("an upload by twine or uv", () => {
  test("waits for a review when its uploader may not accept, and reports it", async () => {
    const answer = await upload(await smallWheel("by_stranger", "1.0"), credentials.stranger);
    expect([answer.status, answer.text, answer.reason]).toEqual([
      200,
      "by_stranger 1.0 is waiting for review\n",
      "by_stranger 1.0 is waiting for review",
    ]);
    const admin = await packhouse.as(packhouse.admin);
    const { data } = await admin.get("/python/submissions?search=by_stranger");
    expect(data.content[0]).toMatchObject({ state: "WAITING", submitter: { login: "stranger" } });
  });

  test("is accepted and served when its uploader may accept", async () => {
    const file = await smallWheel("by_admin", "1.0");
    const answer = await upload(file, credentials.admin, { path: "shelf/legacy" });
    expect([answer.status, answer.text]).toEqual([200, "by_admin 1.0 is accepted\n"]);
    const page = await fetch(`${packhouse.address}/repo/shelf/simple/by-admin/`, {
      headers: { authorization: credentials.admin },
    });
    expect(await page.text()).toContain(file.fileName);
  });

  test("of an existing file succeeds with the same bytes, and is refused as existing with others", async () => {
    const first = await smallWheel("twice", "1.0");
    const other = await smallWheel("twice", "1.0", { Summary: "Other contents" });
    expect((await upload(first, credentials.admin)).status).toBe(200);
    const before = await rows();
    expect((await upload(first, credentials.stranger)).status).toBe(200);
    const refused = await upload(other, credentials.admin);
    expect(refused.status).toBe(400);
    // The text that twine's --skip-existing looks for.
    expect(refused.text).toContain("already exist");
    expect(refused.reason).toContain("already exist");
    expect(await rows()).toEqual(before);
    expect(await packhouse.storage.has(sha256(other.bytes))).toBe(false);
  });

  test("is refused with the reason in the text and in the status line, and leaves nothing", async () => {
    const file = await smallWheel("refused", "1.0");
    const broken = { fileName: "refused-1.0-py3-none-any.whl", bytes: new TextEncoder().encode("no zip") };
    const before = await rows();
    for (const [answer, status, text] of [
      [await upload(file, undefined), 401, /access token/],
      [await upload(file, basic("stranger", "pkh_00000000000000000000000000000000")), 401, /access token/],
      [await upload(file, basic("admin", decoded(credentials.stranger))), 401, /access token/],
      [await upload(file, credentials.admin, { path: "nowhere/legacy/" }), 404, /no such repository/],
      [await upload(file, credentials.admin, { path: "cran-like/legacy/" }), 404, /no such repository/],
      [await upload(file, credentials.admin, { path: "sh%00elf/legacy/" }), 404, /no such repository/],
      [await upload(file, credentials.admin, { path: "shelf/simple/" }), 405, /\/repo\/shelf\/legacy\//],
      [
        await upload(file, credentials.admin, { fields: { sha256_digest: sha256(broken.bytes) } }),
        400,
        /SHA256 digest/,
      ],
      [await upload(file, credentials.admin, { fields: { md5_digest: "0" } }), 400, /MD5 digest/],
      [await upload(file, credentials.admin, { fields: { ":action": "submit" } }), 400, /action submit/],
      [
        await upload(file, credentials.admin, { fields: { license: "x".repeat(5_000_000) } }),
        413,
        /larger than this server accepts/,
      ],
      [await upload(broken, credentials.admin), 400, /The package was not accepted: could\.not\.extract\.file/],
      [
        await upload({ ...file, fileName: "odd.zip" }, credentials.admin),
        400,
        /not accepted: unsupported\.package\.format/,
      ],
    ] as const) {
      expect([answer.status, answer.text]).toEqual([status, expect.stringMatching(text)]);
      expect(answer.reason).toBe(answer.text.trim());
      expect(answer.headers.get("www-authenticate")).toBe(status === 401 ? 'Basic realm="Packhouse"' : null);
    }
    const noForm = await fetch(`${packhouse.address}/repo/shelf/legacy/`, {
      method: "POST",
      headers: { authorization: credentials.admin, "content-type": "text/plain" },
      body: "hello",
    });
    expect(noForm.status).toBe(415);
    expect(await rows()).toEqual(before);
    expect(await packhouse.storage.has(sha256(file.bytes))).toBe(false);
  });
});

test("attestations and signatures that would be dropped are refused, so that nobody relies on them", async () => {
  const file = await smallWheel("attested", "1.0");
  const before = await rows();
  for (const [attached, text] of [
    [{ fields: { attestations: '[{"version":1}]' } }, /^Attestations cannot be published here/],
    [{ files: { gpg_signature: "-----BEGIN PGP SIGNATURE-----" } }, /^Signatures cannot be published here/],
  ] as const) {
    const answer = await upload(file, credentials.admin, attached);
    expect([answer.status, answer.text]).toEqual([400, expect.stringMatching(text)]);
    expect(answer.reason).toBe(answer.text.trim());
  }
  expect(await rows()).toEqual(before);
  expect(await packhouse.storage.has(sha256(file.bytes))).toBe(false);
  expect((await upload(file, credentials.admin, { fields: { attestations: "[]" } })).status).toBe(200);
});

const decoded = (header: string): string =>
  Buffer.from(header.slice("Basic ".length), "base64").toString().split(":")[1] ?? "";
