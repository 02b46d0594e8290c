import { createInterface } from "node:readline/promises";
import { undeclaredRepositories } from "../../../features/mirrors/declarations/purge-undeclared.ts";
import { systemClock } from "../../../platform/clock.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { offlinePublication } from "../../../publish/offline-publication.ts";
import { type CommandIo, command, flag } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const purgeUndeclared = command({
  name: "purge-undeclared",
  summary: "Purges the repositories that no file of declarative.paths declares.",
  details: "It lists them and asks for confirmation before it removes anything.",
  options: { yes: flag("Does not ask for confirmation.") },
  async run({ environment, options, input, print }) {
    await inInstallation(environment, async ({ db, settings }) => {
      if (!settings["declarative.enabled"])
        throw new OperatorError("This command works in declarative mode only (declarative.enabled).");
      const { list, purge } = await undeclaredRepositories({
        db,
        settings,
        clock: systemClock,
        publication: offlinePublication(systemClock),
      });
      if (list.length === 0) return print("All repositories are declared.");
      for (const line of list) print(line);
      if (!options.yes && !(await agreed(list.length, input))) return print("Nothing was removed.");
      await purge();
      print(`Purged: ${list.length}.`);
    });
  },
});

async function agreed(count: number, input: CommandIo["input"]): Promise<boolean> {
  if (!input.isTTY) throw new OperatorError("There is no terminal to ask for confirmation: use --yes to remove them.");
  const terminal = createInterface({ input, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Remove ${count === 1 ? "it" : `these ${count}`} permanently, with all packages? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}
