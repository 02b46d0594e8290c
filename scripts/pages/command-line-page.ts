import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { commandLinePage } from "../../server/entry/command-line-page.ts";
import { project } from "../stages.ts";

/** Writes the manual's page of commands from their declarations. */
await writeFile(join(project, "docs/command-line.md"), commandLinePage());
