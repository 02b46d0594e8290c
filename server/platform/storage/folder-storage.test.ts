import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openFolderStorage } from "./folder-storage.ts";
import { stage } from "./storage.ts";

async function* bytes(text: string) {
  yield Buffer.from(text);
}

test.each([
  ["by another name on the same file system", tmpdir(), 2],
  ["by a copy on another one", "/dev/shm", 1],
])("an object is put into a file for everyone to read, %s", async (_how, base, names) => {
  const folder = await mkdtemp(join(tmpdir(), "storage-"));
  const place = await mkdtemp(join(base, "placed-")).catch(() => undefined);
  if (place === undefined || (names === 1 && (await stat(place)).dev === (await stat(folder)).dev)) return;
  try {
    const storage = await openFolderStorage(folder);
    const staged = await stage(storage, bytes("content"), 100);
    await staged.keep();
    await staged.discard();
    const path = join(place, "file");
    await storage.placeAt(staged.digests.sha256, path);
    const { nlink, mode } = await stat(path);
    expect([await readFile(path, "utf8"), nlink, mode & 0o777]).toEqual(["content", names, 0o644]);
  } finally {
    for (const used of [folder, place]) await rm(used, { recursive: true, force: true });
  }
});
