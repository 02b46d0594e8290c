import { createInterface } from "node:readline/promises";
import { undeclaredRepositories } from "../../../features/mirrors/declarations/purge-undeclared.ts";
import { systemClock } from "../../../platform/clock.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { offlinePublication } from "../../../publish/offline-publication.ts";
import { command, flag, type CommandIo } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const purgeUndeclared = command({
  name: "purge-undeclared",
  summary: "Removes for good the repositories that no file of declarative.paths declares.",
  details: "It lists them and asks before it removes anything.",
  options: { yes: flag("Does not ask.") },
  async run({ environment, options, input, print }) {
    await inInstallation(environment, async ({ db, settings }) => {
      if (!settings["declarative.enabled"])
        throw new OperatorError("Only in declarative mode does a declaration say what there is.");
      const { list, purge } = await undeclaredRepositories({
        db,
        settings,
        clock: systemClock,
        publication: offlinePublication(systemClock),
      });
      if (list.length === 0) return print("Everything that is there is declared.");
      for (const line of list) print(line);
      if (!options.yes && !(await agreed(list.length, input))) return print("Nothing was removed.");
      await purge();
      print(`Removed for good: ${list.length}.`);
    });
  },
});

async function agreed(count: number, input: CommandIo["input"]): Promise<boolean> {
  if (!input.isTTY) throw new OperatorError("Nobody can be asked here: --yes removes them.");
  const terminal = createInterface({ input, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Remove ${count === 1 ? "it" : `these ${count}`} for good, with all packages? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
