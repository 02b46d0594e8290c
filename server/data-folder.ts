import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Mistake } from "./mistake.ts";

/** What a data folder is for. The demo must never be mixed up with an installation. */
export type Purpose = "installation" | "demo";

export class WrongDataFolder extends Mistake {}

/** Makes the folder or checks that it is for this purpose; only its owner may look into it. */
export async function claimDataFolder(folder: string, purpose: Purpose): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const marker = join(folder, "packhouse-data");
  const found = existsSync(marker) ? (await readFile(marker, "utf8")).trim() : undefined;
  if (found === undefined) await writeFile(marker, `${purpose}\n`);
  else if (found !== purpose)
    throw new WrongDataFolder(
      `The folder ${folder} holds the data of ${found === "demo" ? "the demo" : "an installation"}; please name another one in PACKHOUSE_DATA_DIR.`,
    );
}
