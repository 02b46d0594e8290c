import { constants, existsSync } from "node:fs";
import { access, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { hasCode } from "../errors/has-code.ts";
import { Obstacle, OperatorError, obstacleAt, shownPath } from "../errors/operator-error.ts";
import { makeFolder } from "../make-folder.ts";

/** The purpose of a data folder. The demo must never be confused with an installation. */
export type Purpose = "installation" | "demo";

export class WrongDataFolder extends OperatorError {}

/** Creates the folder, or checks that it has this purpose and is usable; only its owner may read it. */
export async function claimDataFolder(folder: string, purpose: Purpose): Promise<void> {
  try {
    await makeFolder(folder, 0o700);
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notUsable(resolve(folder), error);
  }
  const found = await claimed(join(folder, "packhouse-data"), purpose);
  if (found !== purpose)
    throw new WrongDataFolder(
      `The folder ${folder} contains the data of ${found === "demo" ? "the demo" : "an installation"}; please name another one in PACKHOUSE_DATA_DIR.`,
    );
}

/** How long a process that has created the marker may take to write it; after that, it was killed in between. */
const writingMs = 1_000;

/** The purpose that the marker names, which is written if there is none. Several processes may do so at once. */
async function claimed(marker: string, purpose: Purpose): Promise<string> {
  const unusable = (error: unknown) => {
    throw obstacleAt(marker, error) ?? error;
  };
  for (const deadline = Date.now() + writingMs; ; await sleep(20)) {
    if (!existsSync(marker)) {
      const isOurs = await writeFile(marker, `${purpose}\n`, { flag: "wx" }).then(
        () => true,
        (error: unknown) => !hasCode(error, "EEXIST") && unusable(error),
      );
      if (isOurs) return purpose;
    }
    const found = (await readFile(marker, "utf8").catch(unusable)).trim();
    if (found !== "") return found;
    if (Date.now() > deadline) await writeFile(marker, `${purpose}\n`).catch(unusable);
  }
}

function notUsable(folder: string, error: unknown): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const shown = shownPath(folder);
  const account =
    process.getuid === undefined ? "this account" : `the account that runs Packhouse (uid ${process.getuid()})`;
  switch (code) {
    case "EEXIST":
    case "ENOTDIR":
      return new Obstacle(
        `The data folder ${shown} cannot be created, because there is a file with this name. Name another folder in PACKHOUSE_DATA_DIR.`,
      );
    case "ENOENT":
      return new Obstacle(
        `The data folder ${shown} cannot be created: its file system accepts no new folders, or a symbolic link in its path leads nowhere (ENOENT). Name another folder in PACKHOUSE_DATA_DIR.`,
      );
    case "EACCES":
    case "EPERM":
      return new Obstacle(
        `The data folder ${shown} cannot be written by ${account} (${code}). Make that account its owner, or name another folder in PACKHOUSE_DATA_DIR.`,
      );
    default:
      return obstacleAt(folder, error) ?? error;
  }
}
