import { existsSync } from "node:fs";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { Obstacle, obstacleIn } from "../errors/operator-error.ts";
import { claimDataFolder } from "./data-folder.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "packhouse-data-folder-"));
});
afterEach(async () => {
  await chmod(join(folder, "closed"), 0o700).catch(() => {});
  await rm(folder, { recursive: true, force: true });
});

/** What the command line shows. */
async function sentenceOf(path: string): Promise<string> {
  const error: unknown = await claimDataFolder(path, "installation").catch((thrown: unknown) => thrown);
  const obstacle = obstacleIn(error);
  expect(obstacle).toBeInstanceOf(Obstacle);
  return obstacle?.message ?? "";
}

describe("a data folder that cannot be used is one sentence", () => {
  const prepared: Record<string, () => Promise<string>> = {
    async circle() {
      await symlink(join(folder, "other"), join(folder, "one"));
      await symlink(join(folder, "one"), join(folder, "other"));
      return join(folder, "one");
    },
    belowCircle: async () => join(await (prepared.circle?.() ?? ""), "data"),
    async file() {
      await writeFile(join(folder, "file"), "kept");
      return join(folder, "file");
    },
    belowFile: async () => join(await (prepared.file?.() ?? ""), "data"),
    async nowhere() {
      await symlink(join(folder, "missing"), join(folder, "link"));
      return join(folder, "link");
    },
    longName: async () => join(folder, "a".repeat(300)),
    longPath: async () => join(folder, ...Array.from({ length: 60 }, () => "a".repeat(100))),
    async markerFolder() {
      await mkdir(join(folder, "packhouse-data"));
      return folder;
    },
    async closed() {
      await mkdir(join(folder, "closed"), { mode: 0o500 });
      return join(folder, "closed");
    },
    proc: async () => "/proc/self/data",
    belowProc: async () => "/proc/self/data/below",
    sysctl: async () => "/proc/sys/data",
  };
  const onLinux = existsSync("/proc/self");
  const asRoot = process.getuid?.() === 0;

  test.for([
    ["circle", /cannot be used: its path has a symbolic link that leads in a circle/],
    ["belowCircle", /cannot be used: its path has a symbolic link that leads in a circle/],
    ["file", /cannot be created, because there is a file with this name/],
    ["belowFile", /cannot be created, because there is a file with this name/],
    ["nowhere", /a symbolic link in its path leads nowhere/],
    ["longName", /a…? cannot be used: its path is too long/],
    ["longPath", /a…? cannot be used: its path is too long/],
    ["markerFolder", /packhouse-data cannot be used: there is a folder with this name/],
    ["closed", /cannot be written by .*\(EACCES\)\. Make that account its owner/, !asRoot],
    ["proc", /cannot be created: its file system accepts no new folders/, onLinux],
    ["belowProc", /cannot be created: its file system accepts no new folders/, onLinux],
    ["sysctl", /cannot be created: its file system accepts no new folders|cannot be written by/, onLinux],
  ] as const)("%s", async ([name, expected, applies = true], { skip }) => {
    skip(!applies);
    const sentence = await sentenceOf((await prepared[name]?.()) ?? "");
    expect(sentence).toMatch(expected);
    expect(sentence).toMatch(/^[^\n]{1,600} PACKHOUSE_DATA_DIR\.$/);
  });
});

test("a data folder is claimed for one purpose, also by many processes at once", async () => {
  for (let round = 0; round < 20; round += 1) {
    const path = await mkdtemp(join(folder, "contended-"));
    const results = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const purpose = index % 2 === 0 ? "demo" : "installation";
        return { purpose, failed: await claimDataFolder(path, purpose).then(() => false, String) };
      }),
    );
    const winner = (await readFile(join(path, "packhouse-data"), "utf8")).trim();
    for (const { purpose, failed } of results)
      expect([purpose, failed]).toEqual([
        purpose,
        purpose === winner ? false : expect.stringContaining("contains the data of"),
      ]);
  }
});

test("a data folder is claimed after a process was killed while it claimed it", async () => {
  const path = join(folder, "killed");
  await mkdir(path);
  await writeFile(join(path, "packhouse-data"), "");
  await claimDataFolder(path, "installation");
  expect(await readFile(join(path, "packhouse-data"), "utf8")).toBe("installation\n");
});

test("a data folder is created with those above it, for its owner alone", async () => {
  const path = join(folder, "a/b/data");
  await claimDataFolder(path, "demo");
  await claimDataFolder(path, "demo");
  expect(await readdir(path)).toEqual(["packhouse-data"]);
  await expect(claimDataFolder(path, "installation")).rejects.toThrow(/contains the data of the demo/);
});

test("a data folder may be a symbolic link to a folder", async () => {
  await mkdir(join(folder, "disk"));
  await symlink(join(folder, "disk"), join(folder, "data"));
  await claimDataFolder(join(folder, "data"), "installation");
  expect(await readdir(join(folder, "disk"))).toEqual(["packhouse-data"]);
});
