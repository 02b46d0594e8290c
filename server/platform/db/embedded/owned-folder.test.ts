import { execFileSync, spawnSync } from "node:child_process";
import { chmod, chown, lstat, mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isSafeSocketFolder, makeSocketFolder, ownFolder } from "./owned-folder.ts";
import { accountFor } from "./postgres-account.ts";

const asRoot = process.getuid?.() === 0;
/** Any account that is neither ours nor PostgreSQL's. */
const stranger = 54_321;
const account = accountFor([]);

let folder: string;
const temporary = process.env.TMPDIR;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-owned-"));
  await chmod(folder, 0o755);
});
afterEach(async () => {
  if (temporary === undefined) delete process.env.TMPDIR;
  else process.env.TMPDIR = temporary;
  await rm(folder, { recursive: true, force: true });
});

const modeOf = async (path: string) => (await stat(path)).mode & 0o7777;

describe("the folder of the socket", () => {
  test("is new, has a unique name each time, and is open to PostgreSQL alone", async () => {
    const made = [await makeSocketFolder(account, folder), await makeSocketFolder(account, folder)];
    try {
      expect(new Set(made).size).toBe(2);
      for (const path of made) {
        const { uid } = await lstat(path);
        expect([await modeOf(path), uid]).toEqual([0o700, account?.uid ?? process.getuid?.()]);
        expect(await isSafeSocketFolder(path, account)).toBe(true);
      }
    } finally {
      for (const path of made) await rm(path, { recursive: true, force: true });
    }
  });

  test("is not created where other accounts can replace it, but in the data folder", async () => {
    const open = join(folder, "open");
    await mkdir(open);
    await chmod(open, 0o777);
    process.env.TMPDIR = open;
    const first = await makeSocketFolder(account, folder);
    expect(first.startsWith(open)).toBe(false);
    await rm(first, { recursive: true });
    await chmod(open, 0o1777);
    expect(dirname(await makeSocketFolder(account, folder))).toBe(open);
  });

  test("is created elsewhere when the path would be too long for a socket", async () => {
    process.env.TMPDIR = join(folder, "x".repeat(90));
    await mkdir(process.env.TMPDIR);
    const made = await makeSocketFolder(account, folder);
    expect(dirname(made)).toBe("/tmp");
    await rm(made, { recursive: true });
  });

  test("is refused if it is a link, a file, or writable by others", async () => {
    const link = join(folder, "link");
    await symlink(folder, link);
    const file = join(folder, "file");
    await writeFile(file, "");
    const open = join(folder, "open");
    await mkdir(open);
    await chmod(open, 0o777);
    for (const path of [link, file, open, join(folder, "missing")])
      expect(await isSafeSocketFolder(path, account)).toBe(false);
  });

  test.runIf(asRoot)("is refused if it belongs to another account", async () => {
    const theirs = join(folder, "theirs");
    await mkdir(theirs, { mode: 0o700 });
    await chown(theirs, stranger, stranger);
    expect(await isSafeSocketFolder(theirs, account)).toBe(false);
  });
});

describe("a folder that is given to PostgreSQL", () => {
  test("is created, or closed to others", async () => {
    const made = join(folder, "made");
    await ownFolder(made, account);
    const open = join(folder, "open");
    await mkdir(open);
    await chmod(open, 0o777);
    await ownFolder(open, account);
    expect([await modeOf(made), await modeOf(open)]).toEqual([0o700, 0o700]);
  });

  test("may be a link that we created", async () => {
    const disk = join(folder, "disk");
    await mkdir(disk);
    await symlink(disk, join(folder, "database"));
    await ownFolder(join(folder, "database"), account);
    expect(await modeOf(disk)).toBe(0o700);
  });

  test.runIf(asRoot)("is refused when it is a link of another account, whose target stays as it is", async () => {
    const target = join(folder, "target");
    await mkdir(target);
    await chmod(target, 0o755);
    const link = join(folder, "database");
    execFileSync("ln", ["-s", target, link]);
    execFileSync("chown", ["-h", String(stranger), link]);
    await expect(ownFolder(link, account)).rejects.toThrow(/symbolic link that another account/);
    expect([await modeOf(target), (await stat(target)).uid]).toEqual([0o755, 0]);
  });

  test.runIf(asRoot)("is refused when it belongs to another account", async () => {
    const theirs = join(folder, "theirs");
    await mkdir(theirs);
    await chown(theirs, stranger, stranger);
    await expect(ownFolder(theirs, account)).rejects.toThrow(/belongs to another account \(uid 54321\)/);
    expect((await stat(theirs)).uid).toBe(stranger);
  });

  test("is refused when a file is in its place", async () => {
    const path = join(folder, "file");
    await writeFile(path, "kept");
    await expect(ownFolder(path, account)).rejects.toThrow(/EEXIST|ENOTDIR/);
  });

  test.runIf(asRoot)("works the same for an ordinary account", async () => {
    await chmod(folder, 0o777);
    const code = `
      import { ownFolder, makeSocketFolder } from ${JSON.stringify(join(import.meta.dirname, "owned-folder.ts"))};
      process.setgid(${stranger}); process.setuid(${stranger});
      await ownFolder(${JSON.stringify(join(folder, "mine"))}, undefined);
      const made = await makeSocketFolder(undefined, ${JSON.stringify(folder)});
      (await import("node:fs")).rmdirSync(made);
      await ownFolder(${JSON.stringify(join(folder, "roots"))}, undefined).then(
        () => process.exit(1), (error) => { console.log(error.message); });`;
    await mkdir(join(folder, "roots"), { mode: 0o755 });
    await chmod(join(folder, "roots"), 0o755);
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", code], {
      encoding: "utf8",
    });
    expect([status, stderr.replace(/.*Warning.*\n?/g, "")]).toEqual([0, ""]);
    expect(stdout).toContain("belongs to another account (uid 0)");
    expect((await readdir(folder)).sort()).toEqual(["mine", "roots"]);
  });
});
