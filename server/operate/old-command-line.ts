import { pino } from "pino";
import { WrongDeclarations } from "../features/mirrors/declarations/read-declarations.ts";
import { openGround } from "../platform/backends/backends.ts";
import type { Db } from "../platform/db/database.ts";
import { migrate } from "../platform/db/migrate.ts";
import { WrongDatabase } from "../platform/db/run-migrations.ts";
import { readSettings, type Settings, WrongSettings } from "../platform/settings/settings.ts";

/** What somebody at the terminal can mend; shown without a stack. */
export class Mistake extends Error {}

/** Works beside a running server, too. */
export async function inDatabase<Result>(
  work: (at: { db: Db; settings: Settings }) => Promise<Result>,
): Promise<Result> {
  const settings = readSettings(process.env);
  const ground = await openGround(settings, pino({ level: "warn" }));
  try {
    await migrate(ground.database.db);
    return await work({ db: ground.database.db, settings });
  } finally {
    await ground.close();
  }
}

/** Runs the command that the first argument names with those behind it, and prints what it says. */
export async function runCommand(
  commands: Record<string, (parameters: string[]) => Promise<string>>,
  usage: string,
): Promise<void> {
  const [command = "", ...parameters] = process.argv.slice(2);
  try {
    const run = Object.entries(commands).find(([name]) => name === command)?.[1];
    if (!run) throw new Mistake(usage);
    process.stdout.write(`${await run(parameters)}\n`);
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    const misspelled = "code" in error && String(error.code).startsWith("ERR_PARSE_ARGS");
    const expected =
      misspelled || [Mistake, WrongSettings, WrongDatabase, WrongDeclarations].some((kind) => error instanceof kind);
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    process.exit(1);
  }
}
