import { createInterface } from "node:readline/promises";
import { systemClock } from "./clock.ts";
import { inDatabase, Mistake, runCommand } from "./command-line.ts";
import { undeclaredRepositories } from "./mirrors/purge-undeclared.ts";
import { planWithdrawal } from "./publication/plan-withdrawal.ts";

const usage = `npm run repositories -- purge-undeclared [--yes]    removes for good what no file of declarative.paths declares
`;

const commands = {
  async "purge-undeclared"(parameters: string[]): Promise<string> {
    const yes = parameters.includes("--yes");
    if (parameters.some((parameter) => parameter !== "--yes")) throw new Mistake(usage);
    return inDatabase(async ({ db, settings }) => {
      if (!settings["declarative.enabled"])
        throw new Mistake("Only in declarative mode does a declaration say what there is.");
      const { list, purge } = await undeclaredRepositories({
        db,
        settings,
        clock: systemClock,
        publication: {
          async withdraw(tx, repositoryId) {
            await planWithdrawal(tx, repositoryId);
          },
        },
      });
      if (list.length === 0) return "Everything that is there is declared.";
      process.stdout.write(`${list.join("\n")}\n`);
      if (!yes && !(await agreed(list.length))) return "Nothing was removed.";
      await purge();
      return `Removed for good: ${list.length}.`;
    });
  },
};

async function agreed(count: number): Promise<boolean> {
  if (!process.stdin.isTTY) throw new Mistake("Nobody can be asked here: --yes removes them.");
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await terminal.question(
      `Remove ${count === 1 ? "it" : `these ${count}`} for good, with all packages? [y/N] `,
    );
    return /^y(es)?$/i.test(answer.trim());
  } finally {
    terminal.close();
  }
}

await runCommand(commands, usage);
