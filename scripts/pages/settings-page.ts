import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { settingsPage } from "../../server/platform/settings/settings-page.ts";
import { project } from "../stages.ts";

/** Writes the manual's page of settings from their table. */
await writeFile(join(project, "docs/settings.md"), settingsPage());
