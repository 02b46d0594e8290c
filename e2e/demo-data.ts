import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildDemoData } from "@packhouse/server/testing/demo-data";
import { demoDataVariable } from "@packhouse/server/testing/product";

/** Playwright runs this before all browser tests, and what it returns after them: each product copies the demo. */
// biome-ignore lint/style/noDefaultExport: Playwright loads it by its default export.
export default async function provideDemoData(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-demo-data-"));
  await buildDemoData(folder);
  process.env[demoDataVariable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
