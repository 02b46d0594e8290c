import { randomBytes } from "node:crypto";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { expect, test } from "vitest";
import { startPackhouse } from "../../testing/packhouse.ts";
import { smallDisk } from "../../testing/small-disk.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

const { folder: disk, mounted } = smallDisk(3, "The test of a full disk");

test.runIf(mounted)(
  "an upload when the disk is full gets 507 with a trace id, leaves nothing, and others go on",
  async () => {
    await using packhouse = await startPackhouse({ dataDir: disk });
    const admin = await packhouse.as(packhouse.admin);
    const { name: repository } = await packhouse.given.repository("R");
    const { bytes: valid } = await smallRPackage("large", "1.0");
    expect(valid.length).toBeLessThan(10_000);

    const large = gzip(await tar([{ name: "large/data", bytes: randomBytes(5_000_000) }], new Date(0)));
    const refused = await admin.upload("R", { fileName: "large_1.0.tar.gz", bytes: large }, { repository });
    expect([refused.http, refused.messageCode]).toEqual([507, "storage.full"]);
    expect(refused.data).toMatchObject({ traceId: expect.stringMatching(/./) });
    expect(readdirSync(join(disk, "storage/incoming"))).toEqual([]);
    expect(await packhouse.deps.db.selectFrom("objects").select("digest").execute()).toEqual([]);

    const taken = await admin.upload("R", { fileName: "large_1.0.tar.gz", bytes: valid }, { repository });
    expect(taken.http).toBe(201);
  },
);
