import { resolve } from "node:path";
import { z } from "zod";
import { argument, command } from "../command.ts";
import { restoreFrom } from "./restore.ts";

export const importEverything = command({
  name: "import",
  summary: "Fills an empty place with what `packhouse export` wrote.",
  details: "Of this version or an earlier one. What was interrupted goes on when it is called again.",
  arguments: { folder: argument(z.string(), "Where the export lies.") },
  async run({ environment, arguments: { folder }, print, note }) {
    await restoreFrom(resolve(folder), undefined, { environment, print, note });
  },
});
