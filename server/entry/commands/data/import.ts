import { resolve } from "node:path";
import { z } from "zod";
import { argument, command } from "../command.ts";
import { restoreFrom } from "./restore.ts";

export const importEverything = command({
  name: "import",
  summary: "Imports an export into an empty database and storage.",
  details:
    "The export can be from this or an earlier version. If the import is interrupted, run the command again to continue.",
  arguments: { folder: argument(z.string(), "Folder of the export.") },
  async run({ environment, arguments: { folder }, print, note }) {
    await restoreFrom(resolve(folder), undefined, { environment, print, note });
  },
});
