import { readFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";

const manifest = z.object({ version: z.string() });

/** The running version, from its package.json. */
export const productVersion: string = manifest.parse(
  JSON.parse(readFileSync(join(import.meta.dirname, "../package.json"), "utf8")),
).version;
