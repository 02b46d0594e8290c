import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { isLong } from "@packhouse/fixtures/long-form";
import { expect, test } from "vitest";
import { z } from "zod";
import { signIn, startProduct } from "../../testing/product.ts";

const listed = z.object({ content: z.array(z.object({ id: z.int(), published: z.boolean() })) });
const soon = { timeout: 120_000, interval: 200 };

test.runIf(isLong)("the demo mirrors one of its own repositories, and keeps its mail in a folder", async () => {
  await using product = await startProduct({ demo: "whole", environment: { PACKHOUSE_MAIL_COLLECT_SECONDS: "2" } });
  const admin = await signIn(product, "admin", "packhouse-demo");
  const { data } = await admin.call("GET", "/r/repositories?name=stats-south");
  const [repository] = listed.parse(data).content;
  expect(repository).toMatchObject({ published: true });
  const mirror = async () => (await admin.call("GET", `/repositories/${repository?.id}/mirrors`)).data;
  await expect
    .poll(async () => JSON.stringify(await mirror()), soon)
    .toMatch(/seedbankr.*reserved|reserved.*seedbankr/);
  const index = async () => (await fetch(`${product.address}/repo/stats-south/src/contrib/PACKAGES`)).text();
  await expect.poll(index, soon).toContain("Package: tidyloom");
  expect(await index()).not.toContain("Package: seed");

  const folder = join(product.dataDir, "mail");
  const mails = () => readdir(folder).catch(() => []);
  await expect
    .poll(async () => (await mails()).filter((name) => name.startsWith("package-maintainer")), soon)
    .not.toEqual([]);
  const [first = ""] = (await mails()).filter((name) => name.startsWith("package-maintainer"));
  expect(await readFile(join(folder, first), "utf8")).toContain("To: Ines Harrow");
});
