import { constants, existsSync } from "node:fs";
import { access, mkdir, readFile, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { Obstacle, OperatorError, obstacleIn } from "../errors/operator-error.ts";

/** The purpose of a data folder. The demo must never be confused with an installation. */
export type Purpose = "installation" | "demo";

export class WrongDataFolder extends OperatorError {}

/** Creates the folder, or checks that it has this purpose and is usable; only its owner may read it. */
export async function claimDataFolder(folder: string, purpose: Purpose): Promise<void> {
  try {
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await access(folder, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw notUsable(resolve(folder), error);
  }
  const marker = join(folder, "packhouse-data");
  const found = existsSync(marker) ? (await readFile(marker, "utf8")).trim() : undefined;
  if (found === undefined) {
    await writeFile(marker, `${purpose}\n`, { flag: "wx" }).catch((error: unknown) => {
      // Another process of ours was faster.
      if (!(error instanceof Error) || !("code" in error) || error.code !== "EEXIST") throw error;
    });
  }
  if (found !== undefined && found !== purpose)
    throw new WrongDataFolder(
      `The folder ${folder} contains the data of ${found === "demo" ? "the demo" : "an installation"}; please name another one in PACKHOUSE_DATA_DIR.`,
    );
}

function notUsable(folder: string, error: unknown): unknown {
  if (obstacleIn(error) === undefined) return error;
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const account =
    process.getuid === undefined ? "this account" : `the account that runs Packhouse (uid ${process.getuid()})`;
  return new Obstacle(
    code === "EEXIST" || code === "ENOTDIR"
      ? `The data folder ${folder} cannot be created, because there is a file with this name. Name another folder in PACKHOUSE_DATA_DIR.`
      : `The data folder ${folder} cannot be written by ${account} (${code}). Make that account its owner, or name another folder in PACKHOUSE_DATA_DIR.`,
  );
}
