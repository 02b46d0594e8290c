import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { promote as promoteInstallation } from "../../../operate/transfer/promote.ts";
import { openBackends } from "../../../platform/backends/backends.ts";
import { claimDataFolder } from "../../../platform/backends/data-folder.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { command, option, somethingFound } from "../command.ts";
import { inInstallation } from "../installation.ts";

const text = z.string().min(1).optional();

export const promote = command({
  name: "promote",
  summary: "Moves everything to another database and storage, which must be empty.",
  details: `The source, which the settings name, is not changed. While servers run on it, only package files are copied; stop the servers and run the command again to copy the rows. It can be interrupted at any point: run it again to continue.
The password of the database can be set as PGPASSWORD; the credentials of the bucket come from AWS_ACCESS_KEY_ID and the other usual variables.`,
  options: {
    "database-url": option(text, "URL", "PostgreSQL server, in the form of databaseUrl (default: an embedded one)."),
    "storage-url": option(text, "URL", "Bucket, in the form of storageUrl (default: a folder)."),
    "data-dir": option(
      text,
      "FOLDER",
      "Data folder for the embedded database or the storage, if one of the two is not given.",
    ),
  },
  async run({ environment, options, print, note }) {
    const databaseUrl = options["database-url"];
    const storageUrl = options["storage-url"];
    const dataDir = options["data-dir"] === undefined ? undefined : resolve(options["data-dir"]);
    if (dataDir === undefined && (databaseUrl === undefined || storageUrl === undefined))
      throw new OperatorError(
        "Set both --database-url and --storage-url, or set --data-dir for the one that is stored in a folder.",
      );
    return inInstallation(
      environment,
      async ({ pool, storage, log }) => {
        if (dataDir !== undefined) await claimDataFolder(dataDir, "installation");
        const folder = dataDir ?? (await mkdtemp(join(tmpdir(), "packhouse-promote-")));
        const place = {
          PACKHOUSE_DATABASE_URL: databaseUrl,
          PACKHOUSE_STORAGE_URL: storageUrl,
          PACKHOUSE_DATA_DIR: dataDir,
        };
        const target = await openBackends(readSettings({ ...place, PACKHOUSE_DATA_DIR: folder }), log);
        const to = { pool: target.database.pool, storage: target.storage };
        try {
          if (!(await promoteInstallation({ pool, storage }, to, note))) {
            print("The package files have been copied. Stop the servers and run this command again to copy the rest.");
            return somethingFound;
          }
          print("Everything has been copied. From now on, start the servers with these settings:");
          for (const [name, value] of Object.entries(place))
            if (value !== undefined) print(`${name}=${withoutSecret(value)}`);
          return 0;
        } finally {
          await target.close();
          if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
        }
      },
      { migrated: false },
    );
  },
});

/** The address of a database without its password. */
function withoutSecret(value: string): string {
  if (!URL.canParse(value)) return value;
  const url = new URL(value);
  if (url.password) url.password = "…";
  return decodeURI(url.href);
}
