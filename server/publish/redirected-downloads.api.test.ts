import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { s3Address } from "../platform/settings/s3-address.ts";
import { openS3Storage, type S3Storage } from "../platform/storage/s3-storage.ts";
import { type Client, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { type ObjectStore, startObjectStore } from "../testing/servers/object-store.ts";
import { type SmallPackage, smallWheel } from "../testing/small-packages.ts";

let store: ObjectStore;
let storage: S3Storage;
let folder: string;
let owner: TestPackhouse;
let it: TestPackhouse;
let admin: Client;
let wheel: SmallPackage;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-redirects-"));
  store = await startObjectStore();
  Object.assign(process.env, store.credentials);
  const address = s3Address.parse((await store.makeBucket()).replace("?", "/some prefix+/of mine?"));
  storage = await openS3Storage({ address, stagingFolder: folder });
  owner = await startPackhouse();
  it = await startPackhouse({
    sharing: { database: owner.database, storage },
    settings: { "storage.redirect": true },
  });
  admin = await it.as(it.admin);
  wheel = await smallWheel("harbor", "1.0", {}, { "harbor/noise.bin": randomBytes(30_000).toString("base64") });
  for (const [name, requiresAuthentication] of [
    ["open", false],
    ["closed", true],
  ] as const) {
    await it.given.repository("Python", { name, requiresAuthentication });
    expect((await admin.upload("Python", wheel, { repository: name })).http).toBe(201);
  }
}, 120_000);
afterAll(async () => {
  await it?.close();
  await owner?.close();
  storage?.close();
  await store?.stop();
  await rm(folder, { recursive: true, force: true });
});

const fileIn = (repository: string) => `/repo/${repository}/harbor/${wheel.fileName}`;
const ask = (repository: string, init: RequestInit = {}) =>
  it.anonymous.request(fileIn(repository), { redirect: "manual", ...init });
const bytesOf = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

describe("with a bucket that sends files itself", () => {
  test("a reader is sent there, and gets the bytes as their type", async () => {
    const answer = await ask("open");
    expect([answer.status, answer.headers.get("cache-control")]).toEqual([302, "no-store"]);
    const there = await fetch(answer.headers.get("location") ?? "");
    expect([there.status, there.headers.get("content-type")]).toEqual([200, "application/zip"]);
    expect((await bytesOf(there)).equals(Buffer.from(wheel.bytes))).toBe(true);
  });

  test("a client that follows can continue a download", async () => {
    const part = await it.anonymous.request(fileIn("open"), { headers: { range: "bytes=100-199" } });
    expect([part.status, part.redirected]).toEqual([206, true]);
    expect((await bytesOf(part)).equals(Buffer.from(wheel.bytes).subarray(100, 200))).toBe(true);
  });

  test("the address is valid for that file, for reading, and for a minute", async () => {
    const location = new URL((await ask("open")).headers.get("location") ?? "");
    expect(location.searchParams.get("X-Amz-Expires")).toBe("60");
    expect((await fetch(location, { method: "DELETE" })).status).toBe(403);
    const longer = new URL(location);
    longer.searchParams.set("X-Amz-Expires", "6000");
    expect((await fetch(longer)).status).toBe(403);
    const other = new URL(location);
    other.pathname = other.pathname.replace(/.$/, (last) => (last === "0" ? "1" : "0"));
    expect((await fetch(other)).status).toBe(403);
  });

  test("what needs no bytes is answered here: HEAD, and what the client has", async () => {
    const head = await ask("open", { method: "HEAD" });
    expect([head.status, head.headers.get("content-length")]).toEqual([200, String(wheel.bytes.length)]);
    const etag = head.headers.get("etag") ?? "";
    expect((await ask("open", { headers: { "if-none-match": etag } })).status).toBe(304);
    expect((await it.anonymous.request("/repo/open/simple/harbor/", { redirect: "manual" })).status).toBe(200);
  });

  test("private files are for those who may read them", async () => {
    const refused = await ask("closed");
    expect([refused.status, refused.headers.get("location")]).toEqual([401, null]);
    const outsider = `Basic ${Buffer.from("admin:pkh_nonsense").toString("base64")}`;
    expect((await ask("closed", { headers: { authorization: outsider } })).status).toBe(401);
    const allowed = await ask("closed", { headers: { authorization: admin.authorization } });
    expect([allowed.status, allowed.headers.get("cache-control")]).toEqual([302, "no-store"]);
    expect((await fetch(allowed.headers.get("location") ?? "")).status).toBe(200);
  });
});
