import { constants } from "node:fs";
import { lstat, mkdir, mkdtemp, open, realpath, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { Obstacle } from "../../errors/operator-error.ts";
import { type Account, searchable } from "./postgres-account.ts";

const sticky = 0o1000;
const writableByOthers = 0o022;
/** Socket paths are limited to 107 bytes on Linux and 103 on macOS. */
const longestSocketPath = 103;
const socketName = ".s.PGSQL.5432";
const socketFolderName = "packhouse-XXXXXX";

/**
 * Creates a folder that only PostgreSQL may enter. An existing one is accepted only if it belongs to us or to
 * PostgreSQL's account. Owner and mode are changed through an open handle, so that no one can swap in a link in
 * between.
 */
export async function ownFolder(folder: string, account: Account | undefined): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await refuseForeignLink(folder, account);
  const handle = await open(await realpath(folder), constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    const { uid, mode } = await handle.stat();
    if (!isOurs(uid, account))
      throw new Obstacle(
        `The folder ${folder} belongs to another account (uid ${uid}). Make ${ownerName(account)} its owner, or name another data folder in PACKHOUSE_DATA_DIR.`,
      );
    if ((mode & 0o777) !== 0o700) await handle.chmod(0o700);
    if (account && uid !== account.uid) await handle.chown(account.uid, account.gid);
  } finally {
    await handle.close();
  }
}

/**
 * Operators may put the folder on another disk by a link. A link created by another account leads where that account
 * wants.
 */
async function refuseForeignLink(folder: string, account: Account | undefined): Promise<void> {
  const found = await lstat(folder);
  if (!found.isSymbolicLink() || found.uid === process.getuid?.()) return;
  throw new Obstacle(
    `${folder} is a symbolic link that another account (uid ${found.uid}) created. Remove it, or create it as ${ownerName(account)} yourself.`,
  );
}

/**
 * A new folder for the socket, with an unpredictable name. Short, because socket paths are limited. If other accounts
 * could replace it in the temporary folders, as in some containers, it is created in `fallback`.
 */
export async function makeSocketFolder(account: Account | undefined, fallback: string): Promise<string> {
  const reasons: string[] = [];
  for (const parent of new Set([tmpdir(), "/tmp", fallback])) {
    const reason = await reasonAgainst(parent, account);
    if (reason !== undefined) {
      reasons.push(`${parent} ${reason}`);
      continue;
    }
    const folder = await mkdtemp(join(parent, socketFolderName.replace("XXXXXX", "")));
    await ownFolder(folder, account);
    return folder;
  }
  throw new Obstacle(
    `There is no folder for the socket of the database: ${reasons.join("; ")}. Name a folder of your own with a short path in TMPDIR.`,
  );
}

/** The socket folder that a running PostgreSQL reports, if no other account can have put a socket there. */
export async function isSafeSocketFolder(folder: string, account: Account | undefined): Promise<boolean> {
  const found = await lstat(folder).catch(() => undefined);
  return found?.isDirectory() === true && isOurs(found.uid, account) && (found.mode & writableByOthers) === 0;
}

async function reasonAgainst(parent: string, account: Account | undefined): Promise<string | undefined> {
  const path = join(parent, socketFolderName, socketName);
  if (Buffer.byteLength(path) > longestSocketPath) return "has a path that is too long";
  if (account && !searchable(dirname(path)))
    return `is not accessible to the account of the database (uid ${account.uid})`;
  const found = await stat(parent).catch(() => undefined);
  if (!found?.isDirectory()) return "is not a folder";
  // Without the sticky bit every account may rename files of others there.
  if ((found.mode & writableByOthers) !== 0 && (found.mode & sticky) === 0)
    return `lets other accounts replace files (mode ${(found.mode & 0o7777).toString(8)})`;
  if (found.uid !== 0 && !isOurs(found.uid, account)) return `belongs to another account (uid ${found.uid})`;
  return undefined;
}

const isOurs = (uid: number, account: Account | undefined): boolean =>
  uid === process.getuid?.() || (account !== undefined && uid === account.uid);

const ownerName = (account: Account | undefined): string =>
  account ? `root or uid ${account.uid}` : `uid ${process.getuid?.()}`;
