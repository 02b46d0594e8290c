import { migrate as migrateDatabase, waitingMigrations } from "../../../platform/db/migrate.ts";
import { command, flag } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const migrate = command({
  name: "migrate",
  summary: "Migrates the database to this version.",
  details:
    "Every start does this, too; run this command to do it in advance. Servers of the previous version keep running in the meantime. If there is no installation yet, it is created.",
  options: { "dry-run": flag("Only lists pending migrations.") },
  async run({ environment, options, print }) {
    await inInstallation(
      environment,
      async ({ db }) => {
        const waiting = await waitingMigrations(db);
        if (!options["dry-run"]) await migrateDatabase(db);
        for (const name of waiting) print(name);
        if (waiting.length === 0) print("The database is up to date.");
        else
          print(
            options["dry-run"] ? `Pending: ${waiting.length}.` : `Done: ${waiting.length}. The database is up to date.`,
          );
      },
      { make: !options["dry-run"], migrated: false },
    );
  },
});
