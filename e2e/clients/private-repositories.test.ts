import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { hashPassword } from "@packhouse/server/identity/passwords/password";
import { type ApiUser, inDatabaseOf, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage, smallWheel } from "@packhouse/server/testing/small-packages";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { curl, debianPip, type Output, r, twine, uv } from "./programs.ts";
import { type Cell, proves } from "./results-table.ts";

/** The login that a client claims, and its token. */
interface Credentials {
  login: string;
  token: string;
}

let product: Product;
let administrator: ApiUser;
let scratch: string;
const credentials: Record<string, Credentials> = {};
let files = 0;

beforeAll(async () => {
  scratch = await mkdtemp(join(tmpdir(), "packhouse-private-"));
  const logins = ["owner", "leaver", "somebody-else"];
  const people = logins.map(async (login) => ({ login, passwordHash: await hashPassword(`password of ${login}`) }));
  product = await startProduct({
    environment: {
      PACKHOUSE_ADMIN_PASSWORD: "administrator's password",
      PACKHOUSE_PEOPLE: JSON.stringify(await Promise.all(people)),
    },
  });
  administrator = await signIn(product, "admin", "administrator's password");
  const [owner, leaver, other] = await Promise.all(
    logins.map((login) => signIn(product, login, `password of ${login}`)),
  );
  if (!owner || !leaver || !other) throw new Error("nobody is there");

  const tokenOf = async (user: ApiUser, login: string, name: string) => ({
    login,
    token: await user.createToken(name),
  });
  credentials.valid = await tokenOf(owner, "owner", "valid");
  credentials.withoutLogin = { ...credentials.valid, login: "__token__" };
  credentials.expired = await tokenOf(owner, "owner", "expired");
  credentials.deactivated = await tokenOf(owner, "owner", "deactivated");
  credentials.ofSomebodyElse = { ...(await tokenOf(other, "somebody-else", "foreign")), login: "owner" };
  credentials.ofOneWhoLeft = await tokenOf(leaver, "leaver", "left");
  credentials.madeUp = { login: "owner", token: "pkh_00000000000000000000000000000000" };

  await expire("expired");
  const own = z.object({ content: z.array(z.object({ id: z.number(), name: z.string() })) });
  const tokens = own.parse((await owner.call("GET", "/access-tokens?size=50")).data).content;
  await owner.call("PATCH", `/access-tokens/${tokens.find(({ name }) => name === "deactivated")?.id}`, [
    { op: "replace", path: "/active", value: false },
  ]);
  const found = z.object({ content: z.array(z.object({ id: z.number(), login: z.string() })) });
  const everybody = found.parse((await administrator.call("GET", "/users?size=50")).data).content;
  await administrator.call("PATCH", `/users/${everybody.find(({ login }) => login === "leaver")?.id}`, [
    { op: "replace", path: "/active", value: false },
  ]);

  await administrator.createRepository("Python", "private-python", { requiresAuthentication: true });
  await administrator.createRepository("R", "private-r", { requiresAuthentication: true });
  const wheel = await smallWheel("shelved", "1.0");
  await administrator.upload("Python", "private-python", wheel);
  const source = await smallRPackage("shelved", "1.0");
  await administrator.upload("R", "private-r", source);
}, 180_000);

afterAll(async () => {
  await product?.stop();
  await rm(scratch, { recursive: true, force: true });
});

/** A token lives a day at least; this one ended yesterday. */
const expire = (name: string) =>
  inDatabaseOf(product, (db) =>
    db
      .updateTable("access_tokens")
      .set({ expires_on: new Date(Date.now() - 86_400_000) })
      .where("name", "=", name)
      .execute(),
  );

const address = (path: string, who: Credentials | undefined): string =>
  who ? product.address.replace("//", `//${who.login}:${who.token}@`) + path : product.address + path;
const scratchFolder = () => mkdtemp(join(scratch, "folder-"));

/** A package that nobody has uploaded before, as a file. */
async function newFile(make: (name: string, version: string) => Promise<{ fileName: string; bytes: Uint8Array }>) {
  files += 1;
  const { fileName, bytes } = await make(`fresh${files}`, "1.0");
  const folder = await scratchFolder();
  await mkdir(folder, { recursive: true });
  const path = join(folder, fileName);
  await writeFile(path, bytes);
  return path;
}

const asCurl = (who: Credentials | undefined) => (who ? ["--user", `${who.login}:${who.token}`] : []);
const index = "/repo/private-python/simple/";
const uploads = "/repo/private-python/legacy/";

/** What each client does; every one of them fails when it is not let in. */
const operations: Record<string, (who: Credentials | undefined) => Promise<Output>> = {
  "pip download": async (who) =>
    debianPip(
      "download",
      "-vv", // else it keeps to itself why it found nothing
      "--no-input",
      "--no-deps",
      "--dest",
      await scratchFolder(),
      "--index-url",
      address(index, who),
      "shelved",
    ),
  "uv pip install": async (who) =>
    uv("pip", "install", "--no-deps", "--target", await scratchFolder(), "--index-url", address(index, who), "shelved"),
  "R install.packages": async (who) =>
    r(`
      options(warn = 1)
      library <- "${await scratchFolder()}"
      install.packages("shelved", lib = library, repos = "${address("/repo/private-r", who)}", type = "source", quiet = TRUE)
      cat(as.character(packageVersion("shelved", lib.loc = library)))`),
  "R with netrc": async (who) => {
    const netrc = join(await scratchFolder(), "netrc");
    await writeFile(netrc, who ? `machine localhost login ${who.login} password ${who.token}\n` : "", { mode: 0o600 });
    return r(
      `options(warn = 2)
       cat(rownames(available.packages(repos = "${address("/repo/private-r", undefined)}", method = "curl", extra = "--netrc-file ${netrc} --fail --silent --show-error")))`,
    );
  },
  "curl download": (who) => curl(...asCurl(who), `${product.address}/repo/private-r/src/contrib/PACKAGES`),
  "curl upload": async (who) =>
    curl(
      ...asCurl(who),
      "--form",
      `file=@${await newFile(smallRPackage)};type=application/gzip`,
      `${product.address}/api/v2/manager/r/submissions?repository=private-r`,
    ),
  "twine upload": async (who) => uploadByTwine(who, await newFile(smallWheel)),
  "uv publish": async (who) => publishByUv(who, await newFile(smallWheel)),
};
const uploadByTwine = (who: Credentials | undefined, ...parameters: string[]) =>
  twine("upload", "--repository-url", address(uploads, undefined), ...asTwine(who), ...parameters);
const publishByUv = (who: Credentials | undefined, ...parameters: string[]) =>
  uv(
    "publish",
    "--trusted-publishing",
    "never",
    "--publish-url",
    address(uploads, undefined),
    ...asUv(who),
    ...parameters,
  );
const asTwine = (who: Credentials | undefined) => ["--username", who?.login ?? "", "--password", who?.token ?? ""];
const asUv = (who: Credentials | undefined) =>
  who ? ["--username", who.login, "--password", who.token] : ["--username", "nobody", "--password", "nothing"];

const cellsOf: Record<string, Cell[]> = {
  "pip download": [["Debian's pip", "private"]],
  "uv pip install": [["uv", "private"]],
  "R install.packages": [["R", "private"]],
  "R with netrc": [["R", "private"]],
  "curl download": [
    ["curl", "download"],
    ["curl", "private"],
  ],
  "curl upload": [["curl", "upload"]],
  "twine upload": [
    ["twine", "upload"],
    ["twine", "private"],
  ],
  "uv publish": [["uv", "upload"]],
};

const submissionCount = async (): Promise<number> =>
  z
    .object({ page: z.object({ totalElements: z.number() }) })
    .parse((await administrator.call("GET", "/submissions?size=1")).data).page.totalElements;

/** The ways to ask for a password that differ most; the others are turned away in the long form. */
const turnedAwayInShort = ["pip download", "R install.packages", "twine upload"];

describe("a private repository", () => {
  for (const name of Object.keys(operations)) {
    const options = proves(...(cellsOf[name] ?? []));

    test(`lets ${name} in with a token of an active person`, options, async () => {
      const before = await submissionCount();
      const accepted = isLong ? [credentials.valid, credentials.withoutLogin] : [credentials.valid];
      for (const who of accepted) await expect(operations[name]?.(who)).resolves.toBeDefined();
      const made = (await submissionCount()) - before;
      expect(made).toBe(/upload|publish/.test(name) ? accepted.length : 0);
    });

    test.runIf(isLong || turnedAwayInShort.includes(name))(
      `turns ${name} away without one, and says why`,
      options,
      async () => {
        const before = await submissionCount();
        const { expired, deactivated, ofSomebodyElse, ofOneWhoLeft, madeUp } = credentials;
        const others = isLong ? [deactivated, ofSomebodyElse, ofOneWhoLeft, madeUp] : [];
        for (const who of [undefined, expired, ...others]) {
          const outcome = await operations[name]?.(who).then(
            () => "let in",
            (error: Partial<Output>) => `${error.stdout}${error.stderr}`,
          );
          // R only reports that there is no index.
          expect(outcome).toMatch(
            name === "R install.packages" ? /unable to access index/ : /401|Unauthorized|access token|not signed in/,
          );
        }
        expect(await submissionCount()).toBe(before);
      },
    );
  }
});

describe("an upload by a tool", () => {
  test("of a user who may not accept is reported as waiting", async () => {
    const who = credentials.valid;
    const { stdout } = await uploadByTwine(who, await newFile(smallWheel));
    expect(stdout).toMatch(/fresh\d+ 1\.0 is waiting for review/);
  }, 60_000);

  test.runIf(isLong)(
    "of what is there is taken with the same bytes and refused with others",
    async () => {
      const file = await newFile(smallWheel);
      const send = () => uploadByTwine(credentials.valid, file);
      await send();
      await expect(send()).resolves.toBeDefined(); // the same bytes
      const name = file.split("/").at(-1)?.split("-")[0] ?? "";
      const { bytes } = await smallWheel(name, "1.0", { Summary: "Other contents" });
      await writeFile(file, bytes);
      await expect(send()).rejects.toMatchObject({ stdout: expect.stringContaining("File already exists") });
    },
    60_000,
  );

  test.runIf(isLong)(
    "with attestations, which could not be published, is refused with what to do",
    async () => {
      const file = await newFile(smallWheel);
      const attestation = `${file}.publish.attestation`;
      await writeFile(attestation, JSON.stringify({ version: 1, verification_material: {}, envelope: {} }));
      const before = await submissionCount();
      const refused = { stdout: expect.stringContaining("Attestations cannot be published here: upload without them") };
      const who = credentials.valid;
      await expect(uploadByTwine(who, "--attestations", file, attestation)).rejects.toMatchObject(refused);
      await expect(publishByUv(who, file, attestation)).rejects.toMatchObject({ stderr: refused.stdout });
      expect(await submissionCount()).toBe(before);
      await publishByUv(who, "--no-attestations", file, attestation);
      expect(await submissionCount()).toBe(before + 1);
    },
    60_000,
  );

  test.runIf(isLong)(
    "of what is published is skipped by uv's look at the index",
    async () => {
      const wheel = await smallWheel("shelved", "1.0");
      const file = join(await scratchFolder(), wheel.fileName);
      await writeFile(file, wheel.bytes);
      const who = credentials.valid;
      const { stderr } = await publishByUv(who, "--check-url", address(index, who), file);
      expect(stderr).toContain("already exists, skipping");
    },
    60_000,
  );
});
