import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inInstallation } from "../entry/commands/installation.ts";
import { emptyDataVariable } from "./product.ts";

/**
 * Makes a database with its tables that the products of tests copy: to create one takes longer than the rest of a start.
 * Gives what removes it.
 */
export async function provideEmptyData(): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), "packhouse-empty-data-"));
  await inInstallation({ PACKHOUSE_DATA_DIR: folder }, async () => undefined, { make: true });
  process.env[emptyDataVariable] = folder;
  return () => rm(folder, { recursive: true, force: true });
}
