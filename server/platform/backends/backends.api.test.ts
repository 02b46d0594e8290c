import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { pino } from "pino";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { freePort, signIn, startProduct } from "../../testing/product.ts";
import { type ObjectStore, startObjectStore } from "../../testing/servers/object-store.ts";
import { type PostgresServer, startPostgresServer } from "../../testing/servers/postgres-server.ts";
import { smallRPackage } from "../../testing/small-packages.ts";
import { readSettings } from "../settings/settings.ts";
import { openBackends } from "./backends.ts";

let postgres: PostgresServer;
let store: ObjectStore;
beforeAll(async () => {
  [postgres, store] = await Promise.all([startPostgresServer(), startObjectStore()]);
});
afterAll(() => Promise.all([postgres?.stop(), store?.stop()]));

/** Starts a whole product, possibly on a busy machine. */
const timeout = 120_000;

test("settings alone make the product use a PostgreSQL server and a bucket, encrypted", { timeout }, async () => {
  const database = `${await postgres.makeDatabase()}?sslmode=verify-full&sslrootcert=${postgres.certificate}`;
  const bucket = await store.makeBucket();
  await using product = await startProduct({
    environment: {
      ...store.credentials,
      PACKHOUSE_DATABASE_URL: database,
      PACKHOUSE_STORAGE_URL: bucket,
      PACKHOUSE_ADMIN_PASSWORD: "admin-password",
    },
  });
  const admin = await signIn(product, "admin", "admin-password");
  await admin.createRepository("R", "north");
  const sent = await smallRPackage("gridwalk", "1.0");
  const { state } = await admin.upload("R", "north", sent);
  expect(state).toBe("ACCEPTED");
  const file = await fetch(`${product.address}/repo/north/src/contrib/${sent.fileName}`);
  expect(Buffer.from(await file.arrayBuffer()).equals(sent.bytes)).toBe(true);
  // Neither a database nor an object is stored here.
  expect((await readdir(product.dataDir)).sort()).toEqual(["packhouse-data", "storage"]);
  expect(await readdir(join(product.dataDir, "storage"), { recursive: true })).toEqual(["incoming"]);
});

describe("unusable backends stop the startup with one sentence that contains no secret", () => {
  const refused = async (environment: Record<string, string>) => {
    const settings = readSettings(environment);
    const problem = await openBackends(settings, pino({ level: "silent" })).then(
      async (backends) => backends.close(),
      (error: unknown) => error,
    );
    expect(problem).toMatchObject({ name: "Error", problems: [expect.any(String)] });
    const said = String(problem);
    expect(said).not.toContain(postgres.connection.password);
    expect(said).not.toContain(store.credentials.AWS_SECRET_ACCESS_KEY);
    return said;
  };

  test.for<[string, (url: string) => string | Promise<string>, RegExp]>([
    ["a wrong password", (url) => url.replace(/:\w+@/, ":forgotten@"), /refuses the password of packhouse/],
    ["an unknown host", (url) => url.replace("127.0.0.1", "nowhere.invalid"), /no host nowhere\.invalid|looked up/],
    ["a database that is not there", (url) => url.replace(/\w+$/, "missing"), /has no database missing/],
    [
      "nothing at the port",
      async (url) => url.replace(/:\d+\//, `:${await freePort()}/`),
      /nothing listens on port \d+ of 127\.0\.0\.1/,
    ],
    ["a server that nobody vouches for", (url) => `${url}?sslmode=verify-full`, /SELF_SIGNED_CERT/],
    [
      "a certificate that is not there",
      (url) => `${url}?sslrootcert=/missing.pem`,
      /a file of a certificate that it names \(ENOENT\)/,
    ],
  ])("%s", async ([, changed, sentence]) => {
    const url = await changed(postgres.url("postgres"));
    expect(await refused({ PACKHOUSE_DATABASE_URL: url })).toMatch(sentence);
  });

  test.for<[string, Record<string, string>, (url: string) => string, RegExp]>([
    [
      "a bucket that is not there",
      {},
      (url) => url.replace(/bucket-\w+/, "no-such-bucket"),
      /no bucket no-such-bucket/,
    ],
    ["a wrong key", { AWS_SECRET_ACCESS_KEY: "forgotten" }, (url) => url, /refuses the credentials/],
  ])("%s", async ([, variables, changed, sentence]) => {
    const before = { ...process.env };
    Object.assign(process.env, store.credentials, variables);
    try {
      const url = changed(await store.makeBucket());
      expect(await refused({ PACKHOUSE_STORAGE_URL: url })).toMatch(sentence);
    } finally {
      process.env = before;
    }
  });

  test.each([
    ["PACKHOUSE_DATABASE_URL", "mysql://root:forgotten@host/x"],
    ["PACKHOUSE_STORAGE_URL", "s3://key:forgotten@bucket"],
  ])("%s of another form", (variable, value) => {
    const reading = () => readSettings({ [variable]: value });
    expect(reading).toThrow(variable);
    expect(reading).not.toThrow("forgotten");
  });

  test("in a process that prints nothing else", { timeout }, async () => {
    const url = postgres.url("missing").replace(/:\w+@/, ":forgotten@");
    const started = startProduct({ environment: { PACKHOUSE_DATABASE_URL: url } });
    await expect(started).rejects.toThrow(/did not start:\nInvalid settings:\n {2}PACKHOUSE_DATABASE_URL [^\n]*\n$/);
  });
});

test.runIf(isLong)(
  "the embedded database ends with a command that has used nothing but the pool",
  { timeout },
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "packhouse-backends-"));
    try {
      const backends = await openBackends(readSettings({ PACKHOUSE_DATA_DIR: dataDir }), pino({ level: "silent" }));
      await backends.database.pool.query("select");
      await backends.close();
      expect(await readdir(join(dataDir, "database"))).not.toContain("postmaster.pid");
    } finally {
      await rm(dataDir, { recursive: true, force: true });
    }
  },
);

test("a temporarily unreachable bucket does not stop the startup", async () => {
  const url = (await store.makeBucket()).replace(store.endpoint, `http://127.0.0.1:${await freePort()}`);
  const settings = readSettings({
    PACKHOUSE_STORAGE_URL: url,
    PACKHOUSE_DATABASE_URL: await postgres.makeDatabase(),
  });
  const before = { ...process.env };
  Object.assign(process.env, store.credentials);
  const warnings: string[] = [];
  const log = pino({ level: "warn" }, { write: (line: string) => void warnings.push(line) });
  const backends = await openBackends(settings, log);
  process.env = before;
  await backends.close();
  expect(warnings.join()).toContain("the bucket cannot be reached right now");
  expect(warnings.join()).not.toContain(store.credentials.AWS_SECRET_ACCESS_KEY);
});
