/**
 * An error that the operator can fix: a wrong setting, option or declaration. Shown as its message alone, without a
 * stack.
 */
export class OperatorError extends Error {}

/**
 * A problem of this machine: a busy port, a folder that cannot be written. The same call may succeed once it is solved.
 * Shown as its message alone, without a stack.
 */
export class Obstacle extends Error {}

const reasons: Record<string, string> = {
  EACCES: "this account is not allowed to use it",
  EPERM: "this account is not allowed to change it",
  EROFS: "its file system is read-only",
  ENOTDIR: "a part of its path is not a folder",
  EEXIST: "there is a file with this name",
  EISDIR: "there is a folder with this name",
  ELOOP: "its path has a symbolic link that leads in a circle or is not allowed here",
  ENAMETOOLONG: "its path is too long",
  ENOSPC: "its disk is full",
  EDQUOT: "its disk quota is used up",
  EIO: "its disk cannot be read or written",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** A refusal by the operating system, as a sentence; undefined for everything else. */
export function obstacleIn(error: unknown): Obstacle | undefined {
  if (error instanceof Obstacle) return error;
  if (!(error instanceof Error) || !("path" in error) || typeof error.path !== "string") return undefined;
  return obstacleAt(error.path, error);
}

/** The same about a path that the operator knows. */
export function obstacleAt(path: string, error: unknown): Obstacle | undefined {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  const reason = reasons[code];
  if (reason === undefined) return undefined;
  return new Obstacle(
    `${shownPath(path)} cannot be used: ${reason} (${code}). Correct it, or name another folder in PACKHOUSE_DATA_DIR.`,
  );
}

const longestShown = 200;

/** A path within a sentence. */
export const shownPath = (path: string): string =>
  path.length > longestShown ? `${path.slice(0, longestShown)}…` : path;
