import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { signalsPage } from "../../inspection/signals-page.ts";
import { project } from "../stages.ts";

/** Writes the manual's list of signals from their table. */
await writeFile(join(project, "docs/signals.md"), signalsPage());
