import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, expect, test } from "vitest";
import { z } from "zod";
import { startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { freePort } from "../testing/product.ts";
import { packhouseCommand } from "../testing/programs/command-line.ts";
import { codeOfApp } from "../testing/second-factors/authenticator-app.ts";
import { startRepositoryServer } from "../testing/servers/repository-server.ts";
import { databaseAddress } from "../testing/servers/test-backends.ts";

/** Each test starts processes that load the whole server. */
const slow = 300_000;

let it: TestPackhouse;

beforeAll(async () => {
  it = await startPackhouse();
});
afterAll(async () => {
  await it?.close();
});

/** Runs next to the running server. */
const packhouse = (words: string, input = "", environment: Record<string, string> = {}) =>
  packhouseCommand(words.split(" "), {
    input,
    environment: { ...it.environment, ...environment },
  });

const signIn = async (login: string, password: string): Promise<number> => {
  const answer = await it.anonymous.request("/login", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ login, password }),
  });
  return answer.status;
};

async function latestEvent() {
  const admin = await it.as(it.admin);
  const { data } = await admin.get("/events?resourceType=user&size=1&sort=id,desc");
  return data.content[0];
}

test(
  "admin creates accounts and sets passwords, with events",
  async () => {
    expect(
      await packhouse("admin create mara --role repositorymaintainer --password-stdin", "first-password\n"),
    ).toEqual({
      code: 0,
      out: "mara can sign in as repositorymaintainer\n",
      err: "",
    });
    expect(await signIn("mara", "first-password")).toBe(200);
    expect(await latestEvent()).toMatchObject({
      eventType: "create",
      user: { login: "admin" },
      description: "The operator created the account of mara with the role repositorymaintainer.",
    });
    const taken = await packhouse("admin create mara");
    expect([taken.code, taken.err]).toEqual([2, "The login mara is taken.\n"]);

    const short = await packhouse("admin password mara --password-stdin", "short\n");
    expect([short.code, short.err]).toEqual([2, "A password must have at least 8 characters.\n"]);
    const generated = await packhouse("admin password mara");
    const password = /^mara has a new password; password: (\S{20})\n$/.exec(generated.out)?.[1] ?? "";
    expect([await signIn("mara", "first-password"), await signIn("mara", password)]).toEqual([401, 200]);
    expect((await latestEvent()).description).toBe("The operator set a new password for mara.");
  },
  slow,
);

test.runIf(isLong)(
  "admin removes the second factors of a user who lost them",
  async () => {
    const { id } = await it.given.person("ida");
    const client = await it.bySession({ id });
    const { continuation, totp } = (
      await client.post("/second-factors/enrollment", { method: "totp", password: "password" })
    ).data;
    await client.post("/second-factors", { continuation, name: "Phone", code: codeOfApp(totp.secret, new Date()) });
    expect(await signIn("ida", "password")).toBe(401);
    const reset = await packhouse("admin reset-second-factors ida");
    expect([reset.code, reset.out]).toEqual([0, "ida no longer has second factors.\n"]);
    expect(await signIn("ida", "password")).toBe(200);
    expect((await client.get("/users/me")).http).toBe(401);
    expect((await packhouse("admin reset-second-factors ida")).out).toBe("ida has no second factors.\n");
    expect((await packhouse("admin reset-second-factors nobody")).code).toBe(2);
  },
  slow,
);

test.runIf(isLong)(
  "admin changes roles and deactivates and activates accounts, with events",
  async () => {
    await it.given.person("ole", "repositorymaintainer");
    expect((await packhouse("admin role ole packagemaintainer")).out).toBe("ole has the role packagemaintainer.\n");
    expect(await latestEvent()).toMatchObject({
      description: "The operator gave Name of ole the role packagemaintainer.",
      changedProperties: [{ property: "role", valueBefore: "repositorymaintainer", valueAfter: "packagemaintainer" }],
    });
    expect((await packhouse("admin deactivate ole")).out).toBe("ole is deactivated.\n");
    expect(await signIn("ole", "password")).toBe(401);
    expect((await packhouse("admin deactivate ole")).out).toBe("ole is deactivated already.\n");
    expect((await packhouse("admin activate ole")).code).toBe(0);
    expect(await signIn("ole", "password")).toBe(200);
  },
  slow,
);

test.runIf(isLong)(
  "admin lists the accounts, keeps the last administrator, and refuses unknown logins",
  async () => {
    for (const words of ["admin role admin user", "admin deactivate admin"]) {
      const { code, err } = await packhouse(words);
      expect([code, err]).toEqual([2, "admin is the last active administrator. Create another one first.\n"]);
    }
    const nobody = await packhouse("admin activate nobody");
    expect([nobody.code, nobody.err]).toEqual([2, "There is no user with the login nobody.\n"]);
    await it.given.person("una", "user");
    const { out } = await packhouse("admin list --json");
    const listed = z
      .array(z.object({ login: z.string(), role: z.string(), active: z.boolean() }))
      .parse(JSON.parse(out));
    expect(listed).toContainEqual({ login: "admin", role: "admin", active: true });
    expect(listed).toContainEqual({ login: "una", role: "user", active: true });
  },
  slow,
);

test.runIf(isLong)(
  "a command ends sessions and notifies running servers",
  async () => {
    const admin = await it.bySession(it.admin);
    expect((await admin.get("/users/me")).http).toBe(200);
    expect((await packhouse("sessions rotate-secret")).code).toBe(0);
    expect((await admin.get("/users/me")).http).toBe(200);
    expect((await packhouse("sessions end-all")).code).toBe(0);
    await expect.poll(async () => (await admin.get("/users/me")).http).toBe(401);
    const own = await packhouse("sessions end-all", "", { PACKHOUSE_AUTH_SESSION_SECRET: "s".repeat(32) });
    expect(own.code).toBe(2);
    expect(own.err).not.toContain("ssss");
  },
  slow,
);

test.runIf(isLong)(
  "purge-undeclared asks for confirmation unless --yes is given, and runs only in declarative mode",
  async () => {
    const { code, err } = await packhouse("purge-undeclared");
    expect([code, err]).toEqual([2, "This command works in declarative mode only (declarative.enabled).\n"]);
    const { name } = await it.given.repository("R", { name: "undeclared" });
    const folder = await mkdtemp(join(tmpdir(), "packhouse-declared-"));
    await writeFile(
      join(folder, "kept.repository.yaml"),
      "name: kept\npublicationUri: https://x.example.org/a\nserverAddress: https://x.example.org/a\n",
    );
    const declarative = { PACKHOUSE_DECLARATIVE_ENABLED: "true", PACKHOUSE_DECLARATIVE_PATHS: folder };
    const asked = await packhouse("purge-undeclared", "", declarative);
    expect(asked).toEqual({
      code: 2,
      out: "undeclared (R, still there)\n",
      err: "There is no terminal to ask for confirmation: use --yes to remove them.\n",
    });
    const removed = await packhouse("purge-undeclared --yes", "", declarative);
    expect([removed.code, removed.out]).toEqual([0, "undeclared (R, still there)\nPurged: 1.\n"]);
    const left = await sql`select from repositories where name = ${name}`.execute(it.deps.db);
    expect(left.rows).toEqual([]);
    await rm(folder, { recursive: true });
  },
  slow,
);

test(
  "migrate lists pending migrations and runs them",
  async () => {
    expect((await packhouse("migrate --dry-run")).out).toBe("The database is up to date.\n");
    const database = `${it.database}_new`;
    await sql`create database ${sql.id(database)}`.execute(it.deps.db);
    try {
      const fresh = { PACKHOUSE_DATABASE_URL: databaseAddress(database) };
      const waiting = await packhouse("migrate --dry-run", "", fresh);
      expect(waiting.out).toMatch(/^2026-11-21-first-schema\n(.+\n)*Pending: \d+\.\n$/);
      const done = await packhouse("migrate", "", fresh);
      expect(done.out).toBe(waiting.out.replace(/Pending: (\d+)\./, "Done: $1. The database is up to date."));
      expect((await packhouse("migrate", "", fresh)).out).toBe("The database is up to date.\n");
    } finally {
      await sql`drop database ${sql.id(database)} with (force)`.execute(it.deps.db);
    }
  },
  slow,
);

const findings = z.array(z.object({ check: z.string(), state: z.string(), seen: z.string() }));

test.runIf(isLong)(
  "events export writes what operators and users did, as lines or as a table",
  async () => {
    expect((await packhouse("admin create kira --password-stdin", "kiras-password\n")).code).toBe(0);
    expect(await signIn("kira", "wrong-password")).toBe(401);
    const lines = await packhouse("events export --security --user kira --from 2026-01-01");
    expect(lines).toMatchObject({ code: 0, err: "" });
    const events = lines.out
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(events).toMatchObject([
      { eventType: "signInFailed", detail: "password", address: "127.0.0.1", user: { login: "kira" } },
      { eventType: "accountCreate", detail: "operator", user: { id: 0 } },
    ]);
    const table = await packhouse("events export --format csv --type create --user admin");
    expect(table.out).toMatch(/^id,time,author,.*\r\n\d+,.*,admin,create,USER,/);
    expect(table.out.endsWith("\r\n")).toBe(true);
    const wrong = await packhouse("events export --from yesterday");
    expect([wrong.code, wrong.err]).toEqual([2, expect.stringContaining("--from: is neither a day")]);
  },
  slow,
);

test(
  "doctor reports problems without secrets, and finds none in a running server",
  async () => {
    const port = new URL(it.address).port;
    const look = async (environment: Record<string, string>) => {
      const { code, out, err } = await packhouse("doctor --json", "", { PACKHOUSE_PORT: port, ...environment });
      expect(err).toBe("");
      const found = findings.parse(JSON.parse(out));
      const problems = found.filter(({ state }) => state === "problem").map(({ check }) => check);
      return { code, problems, out, seen: new Map(found.map(({ check, seen }) => [check, seen])) };
    };
    const well = await look({ PACKHOUSE_PUBLIC_URL: it.address, PACKHOUSE_ADMIN_PASSWORD: "my-secret" });
    expect([well.code, well.problems]).toEqual([0, []]);
    expect(well.seen.get("port")).toContain("Packhouse is running on port");
    expect(well.seen.get("public address")).toContain("reaches this installation");
    expect(well.seen.get("settings")).toContain("PACKHOUSE_ADMIN_PASSWORD");
    expect(well.out).not.toContain("my-secret");
    expect(
      await it.deps.db.selectFrom("sign_in_failures").selectAll().where("login", "like", "doctor-%").execute(),
    ).toEqual([]);

    // A different server answers at the public address and at the port, and there is no provider.
    const other = createServer((_request, answer) => answer.end("{}"));
    const otherPort = await freePort();
    await new Promise<void>((listening) => other.listen(otherPort, "127.0.0.1", listening));
    try {
      const nobody = `http://127.0.0.1:${await freePort()}`;
      const ill = await look({
        PACKHOUSE_PUBLIC_URL: `http://127.0.0.1:${otherPort}`,
        PACKHOUSE_PORT: String(otherPort),
        PACKHOUSE_AUTH_OIDC_ENABLED: "true",
        PACKHOUSE_AUTH_OIDC_ISSUER: nobody,
        PACKHOUSE_AUTH_OIDC_CLIENT_ID: "console",
      });
      expect([ill.code, ill.problems]).toEqual([1, ["port", "public address", "identity provider"]]);
    } finally {
      other.close();
    }

    // One healthy repository server, one that is down, an unreachable mirror, and a server with its defaults.
    await using repositoryServer = await startRepositoryServer();
    const nobody = `http://127.0.0.1:${await freePort()}`;
    for (const [name, origin] of [
      ["well", repositoryServer.origin],
      ["ill", nobody],
    ] as const)
      await it.given.repository("R", { name, serverAddress: `${origin}/r/${name}` });
    const { id } = await it.given.repository("R", { name: "mirrored" });
    const mirror = { repository_id: id, name: "CRAN", uri: "https://nobody.invalid/", generate_manuals: false };
    await it.deps.db
      .insertInto("mirrors")
      .values({ ...mirror, packages: null, schedule: null })
      .execute();
    await sql`alter database ${sql.id(it.database)} set random_page_cost = 4`.execute(it.deps.db);
    const outside = await look({
      PACKHOUSE_PUBLIC_URL: it.address,
      PACKHOUSE_PUBLICATION_TARGETS: `${repositoryServer.origin},${nobody}`,
    });
    expect([outside.code, outside.problems]).toEqual([1, ["repository server of ill", "mirror"]]);
    expect(outside.seen.get("repository server of well")).toContain("is healthy");
    expect([well.seen.get("planner"), outside.seen.get("planner")]).toEqual([
      "random_page_cost is 1.1",
      "random_page_cost is 4, the value for spinning disks",
    ]);
    expect(outside.seen.get("mirror")).toContain("nobody.invalid: ");

    const lost = await look({ PACKHOUSE_DATABASE_URL: "postgres://someone:my-secret@127.0.0.1:1/none" });
    expect([lost.code, lost.problems]).toEqual([1, ["database and storage"]]);
    expect(lost.out).toContain("PACKHOUSE_DATABASE_URL (databaseUrl): nothing listens on port 1 of 127.0.0.1");
    expect(lost.out).not.toContain("my-secret");
    const wrong = await look({ PACKHOUSE_UPLOAD_MAX_BYTES: "my-secret" });
    expect([wrong.code, wrong.problems]).toEqual([1, ["settings"]]);
    expect(wrong.out).not.toContain("my-secret");
  },
  slow,
);
