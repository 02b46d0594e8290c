import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** How PostgreSQL is run when we are root, since it refuses to be. */
export interface Account {
  uid: number;
  gid: number;
  /** Put before a program and its parameters. */
  prefix: readonly string[];
}

const setpriv = "/usr/bin/setpriv";
const othersMaySearch = 0o001;

/**
 * Nobody special for an ordinary user: he runs it himself. For root another account, which must reach `folders`;
 * below a folder that it may not search it gets the one capability that lets it.
 */
export function accountFor(folders: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = accountOf("postgres") ?? accountOf("nobody") ?? { uid: 65534, gid: 65534 };
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  if (folders.every(searchable)) {
    // Without setpriv Node itself changes the ids of its child; then the supplementary groups of root stay.
    return { uid, gid, prefix: existsSync(setpriv) ? [setpriv, ...ids] : [] };
  }
  if (!existsSync(setpriv)) throw new UnreachableFolder(folders);
  const capability = "+dac_read_search";
  return { uid, gid, prefix: [setpriv, ...ids, `--inh-caps=${capability}`, `--ambient-caps=${capability}`] };
}

/** Root's data lies where no other account may look, and there is no way to let PostgreSQL through. */
export class UnreachableFolder extends Error {
  constructor(folders: readonly string[]) {
    super(`PostgreSQL cannot reach ${folders.join(" or ")} under an account other than root.`);
  }
}

/** Whether any account can get into a folder; the folder itself is given away by whoever makes it. */
export function searchable(folder: string): boolean {
  for (let path = resolve(folder); ; path = dirname(path)) {
    // The innermost folder is given to the account; those above it must let others pass.
    if (path !== resolve(folder) && existsSync(path) && (statSync(path).mode & othersMaySearch) === 0) return false;
    if (path === dirname(path)) return true;
  }
}

function accountOf(name: string): { uid: number; gid: number } | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}
