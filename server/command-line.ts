import { pino } from "pino";
import type { Db } from "./db/database.ts";
import { migrate } from "./db/migrate.ts";
import { openGround } from "./ground.ts";
import { Mistake } from "./mistake.ts";
import { readSettings, type Settings } from "./settings.ts";

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
    const expected = misspelled || error instanceof Mistake;
    process.stderr.write(`${expected ? error.message : error.stack}\n`);
    process.exit(1);
  }
}
