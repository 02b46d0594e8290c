import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inDatabaseOf } from "@packhouse/server/testing/product";
import { productProgram } from "@packhouse/server/testing/programs/product-program";
import { sql } from "kysely";
import { startForBench } from "./organization.ts";

const rows = 100_000;

/** Memory of `backup` and `restore`, of a small installation and of one whose rows are some 375 MiB of text. */
export async function backupMemory(): Promise<string[]> {
  const { product } = await startForBench();
  await using _ = product;
  const folder = await mkdtemp(join(tmpdir(), "packhouse-backups-"));
  try {
    const moved = async (name: string) => {
      const backups = join(folder, name);
      const backup = await peakOf(["backup", backups], product.dataDir);
      const restore = await peakOf(["restore", backups], join(folder, `${name}-restored`));
      return { backup, restore };
    };
    const small = await moved("small");
    await inDatabaseOf(product, (db) =>
      sql`
        insert into events (occurred_on, user_id, event_type, resource_type, resource_id, changed_properties, description)
        select now(), (select min(id) from users), 'update', 'user', 1, jsonb_build_array(), repeat(md5(n::text), 120)
        from generate_series(1, ${rows}) n`.execute(db),
    );
    const large = await moved("large");
    return (["backup", "restore"] as const).map(
      (name) =>
        `${name}: ${small[name].toFixed(0)} MiB at most of a small installation, ${large[name].toFixed(0)} MiB with ${rows} events of 4 KB`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The most memory that a command had, in MiB. */
async function peakOf(parameters: string[], dataDir: string): Promise<number> {
  const child = spawn(process.execPath, [productProgram(), ...parameters], {
    env: { PATH: process.env.PATH, PACKHOUSE_DATA_DIR: dataDir },
    stdio: ["ignore", "ignore", "inherit"],
  });
  let peak = 0;
  const watching = setInterval(() => {
    try {
      peak =
        Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, "utf8"))?.[1] ?? peak * 1024) / 1024;
    } catch {
      // it has just ended
    }
  }, 20);
  const code = await new Promise<number | null>((ended) => child.once("exit", ended));
  clearInterval(watching);
  if (code !== 0) throw new Error(`packhouse ${parameters.join(" ")} ended with ${code}`);
  return peak;
}
