import { createHash } from "node:crypto";
import { chmod, lchown, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startProduct } from "@packhouse/server/testing/product";
import { type Attack, must } from "./attack.ts";

const stranger = 54_321;
/** While one product is attacked, another one starts slowly. */
const startsAnotherMs = 240_000;

export const attacks: readonly Attack[] = [
  {
    kind: "traps in temporary folders",
    variant: "a link at the place where the socket of the database once was",
    timeoutMs: startsAnotherMs,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), "packhouse-trap-"));
      const dataDir = join(folder, "data");
      await mkdir(join(dataDir, "database"), { recursive: true, mode: 0o700 });
      const target = join(folder, "target");
      await mkdir(target);
      await chmod(target, 0o755);
      const digest = (path: string) => createHash("sha256").update(path).digest("hex").slice(0, 16);
      const closed = join("/var/lib/packhouse", digest(join(dataDir, "database")));
      const traps = [join(dataDir, "database"), closed].map((cluster) =>
        join(tmpdir(), `packhouse-${digest(cluster)}`),
      );
      try {
        for (const trap of traps) {
          await symlink(target, trap);
          if (process.getuid?.() === 0) await lchown(trap, stranger, stranger);
        }
        const product = await startProduct({
          dataDir,
          environment: { PACKHOUSE_ADMIN_PASSWORD: "long enough secret" },
        });
        await product.kill("SIGTERM");
        const { mode, uid } = await stat(target);
        must((mode & 0o777) === 0o755 && uid === process.getuid?.(), "owner or mode of the link's target has changed");
        return "left alone";
      } finally {
        await Promise.all([...traps, folder, closed].map((path) => rm(path, { recursive: true, force: true })));
      }
    },
  },
  {
    kind: "traps in temporary folders",
    variant: "a link in place of the file with the first password",
    long: true,
    timeoutMs: startsAnotherMs,
    async run() {
      const folder = await mkdtemp(join(tmpdir(), "packhouse-trap-"));
      const dataDir = join(folder, "data");
      const target = join(folder, "target");
      try {
        await mkdir(dataDir, { mode: 0o700 });
        await writeFile(target, "kept", { mode: 0o644 });
        await symlink(target, join(dataDir, "admin-password"));
        const product = await startProduct({ dataDir });
        await product.kill("SIGTERM");
        must((await readFile(target, "utf8")) === "kept", "the password was written through the link");
        must(((await stat(join(dataDir, "admin-password"))).mode & 0o077) === 0, "others may read the password");
        return "left alone";
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
  },
];
