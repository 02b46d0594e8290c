import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { afterAll, expect, test } from "vitest";
import { startPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

const disk = mkdtempSync(join(tmpdir(), "packhouse-small-disk-"));
const mounted = mount();
if (!mounted) process.stdout.write("The test of a full disk is left out: no small disk can be mounted here.\n");

/** A disk of 3 MiB, where the machine lets us have one. */
function mount(): boolean {
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=3m", "tmpfs", disk], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
afterAll(() => {
  if (mounted) execFileSync("umount", [disk]);
  rmSync(disk, { recursive: true, force: true });
});

test.runIf(mounted)(
  "an upload when the disk is full gets 507 with a trace id, leaves nothing, and others go on",
  async () => {
    await using packhouse = await startPackhouse({ storageFolder: disk });
    const admin = await packhouse.as(packhouse.admin);
    const { name: repository } = await packhouse.given.repository("R");
    const { bytes: valid } = await smallRPackage("large", "1.0");
    expect(valid.length).toBeLessThan(10_000);

    const large = gzip(await tar([{ name: "large/data", bytes: randomBytes(5_000_000) }], new Date(0)));
    const refused = await admin.upload("R", { fileName: "large_1.0.tar.gz", bytes: large }, { repository });
    expect([refused.http, refused.messageCode]).toEqual([507, "storage.full"]);
    expect(refused.data).toMatchObject({ traceId: expect.stringMatching(/./) });
    expect(readdirSync(join(disk, "incoming"))).toEqual([]);
    expect(await packhouse.deps.db.selectFrom("objects").select("digest").execute()).toEqual([]);

    const taken = await admin.upload("R", { fileName: "large_1.0.tar.gz", bytes: valid }, { repository });
    expect(taken.http).toBe(201);
  },
);
