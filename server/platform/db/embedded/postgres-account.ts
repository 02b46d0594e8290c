import { existsSync, readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** How to run PostgreSQL when we are root, which it refuses. */
export interface Account {
  uid: number;
  gid: number;
  /** Prefix of a program and its arguments. */
  prefix: readonly string[];
}

const setpriv = "/usr/bin/setpriv";
const othersMaySearch = 0o001;

/**
 * Ordinary users run it as themselves. For root it is another account, which must be able to reach `folders`; below a
 * folder that it may not search, it gets the one capability that allows it.
 */
export function accountFor(folders: readonly string[]): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const { uid, gid } = accountOf("postgres") ?? accountOf("nobody") ?? { uid: 65534, gid: 65534 };
  const ids = [`--reuid=${uid}`, `--regid=${gid}`, "--clear-groups"];
  if (folders.every(searchable)) {
    // Without setpriv, Node changes the ids of its child; then root's supplementary groups stay.
    return { uid, gid, prefix: existsSync(setpriv) ? [setpriv, ...ids] : [] };
  }
  if (!existsSync(setpriv)) throw new UnreachableFolder(folders);
  const capability = "+dac_read_search";
  return { uid, gid, prefix: [setpriv, ...ids, `--inh-caps=${capability}`, `--ambient-caps=${capability}`] };
}

/** Root's data is where no other account has access, and there is no way to give PostgreSQL access. */
export class UnreachableFolder extends Error {
  constructor(folders: readonly string[]) {
    super(`PostgreSQL cannot access ${folders.join(" or ")} under an account other than root.`);
  }
}

/** Whether any account can reach a folder; the caller gives away the folder itself. */
export function searchable(folder: string): boolean {
  for (let path = resolve(folder); ; path = dirname(path)) {
    // The innermost folder is given to the account; those above it must be searchable by others.
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
