import { migrate as migrateDatabase, waitingMigrations } from "../../../platform/db/migrate.ts";
import { command, flag } from "../command.ts";
import { inInstallation } from "../installation.ts";

export const migrate = command({
  name: "migrate",
  summary: "Brings the database up to date.",
  details:
    "Every start does so, too: this is for those who want it done before. Servers of the version before go on meanwhile. A place without an installation becomes one.",
  options: { "dry-run": flag("Only lists the migrations that are waiting.") },
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
            options["dry-run"] ? `Waiting: ${waiting.length}.` : `Done: ${waiting.length}. The database is up to date.`,
          );
      },
      { make: !options["dry-run"], migrated: false },
    );
  },
});
