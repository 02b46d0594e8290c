import { existsSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { checkDatabase, checkStorage } from "../../operate/doctor/backends.ts";
import { type Finding, ok, problem, reasonOf } from "../../operate/doctor/finding.ts";
import { checkDataFolder, checkManuals, checkPort, checkSettings } from "../../operate/doctor/machine.ts";
import { checkMail, checkMirrors, checkProvider, checkPublicUrl, checkTargets } from "../../operate/doctor/outside.ts";
import { openBackends } from "../../platform/backends/backends.ts";
import { systemClock } from "../../platform/clock.ts";
import { waitingMigrations } from "../../platform/db/migrate.ts";
import { readSettings, type Settings, WrongSettings } from "../../platform/settings/settings.ts";
import { command, flag, somethingFound } from "./command.ts";

export const doctor = command({
  name: "doctor",
  summary: "Checks the settings, machine, database, storage and everything else that the server needs.",
  details: `Run it on the machine and with the account of the server. It changes nothing, except for a test object in the storage and a
failed sign-in, both of which it removes. Exit code 0: no problems. 1: problems.`,
  options: { json: flag("Prints the findings as JSON.") },
  async run({ environment, options, print }) {
    const findings: Finding[] = [];
    const report = (some: readonly Finding[]) => {
      findings.push(...some);
      if (!options.json) for (const finding of some) print(lineOf(finding));
    };
    const settings = settingsOf(environment, report);
    if (settings) {
      report([checkSettings(environment)]);
      report(await checkDataFolder(settings));
      report([await checkPort(settings)]);
      await checkBackends(settings, report);
      report(await checkProvider(settings));
      report(await checkMail(settings));
      report([await checkManuals(settings)]);
    }
    if (options.json) print(JSON.stringify(findings, undefined, 2));
    return findings.some(({ state }) => state === "problem") ? somethingFound : 0;
  },
});

type Report = (findings: readonly Finding[]) => void;

function settingsOf(environment: Record<string, string | undefined>, report: Report): Settings | undefined {
  try {
    return readSettings(environment);
  } catch (error) {
    if (!(error instanceof WrongSettings)) throw error;
    report(error.problems.map((one) => problem("settings", one, "See docs/settings.md for valid values.")));
    return undefined;
  }
}

async function checkBackends(settings: Settings, report: Report): Promise<void> {
  // A check must not create an installation.
  if (!settings.databaseUrl && !existsSync(join(settings.dataDir, "packhouse-data")))
    return report([ok("database", "there is no installation yet; the first start creates one")]);
  let backends: Awaited<ReturnType<typeof openBackends>>;
  try {
    backends = await openBackends(settings, pino({ level: "silent" }));
  } catch (error) {
    const reasons = error instanceof WrongSettings ? error.problems : [reasonOf(error)];
    return report(reasons.map((reason) => problem("database and storage", reason, "Fix that first.")));
  }
  const { database, storage, close } = backends;
  try {
    const found = await checkDatabase(database.db, systemClock);
    report(found);
    report([await checkStorage(storage)]);
    if (found.some(({ state }) => state === "problem") || (await waitingMigrations(database.db)).length > 0) return;
    report(await checkPublicUrl(database.db, settings));
    report(await checkTargets(database.db, settings));
    report(await checkMirrors(database.db));
  } finally {
    await close();
  }
}

const marks = { ok: "ok      ", warning: "warning ", problem: "PROBLEM " } as const;

const lineOf = ({ check, state, seen, advice }: Finding): string =>
  `${marks[state]} ${check}: ${seen}.${advice ? ` ${advice}` : ""}`;
