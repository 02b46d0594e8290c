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
  ELOOP: "its path has a symbolic link that leads in a circle or is not allowed here",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** A refusal by the operating system, as a sentence; undefined for everything else. */
export function obstacleIn(error: unknown): Obstacle | undefined {
  if (error instanceof Obstacle) return error;
  if (!(error instanceof Error) || !("code" in error) || !("path" in error) || typeof error.path !== "string")
    return undefined;
  const reason = reasons[String(error.code)];
  if (reason === undefined) return undefined;
  return new Obstacle(
    `${error.path} cannot be used: ${reason} (${error.code}). Correct it, or name another folder in PACKHOUSE_DATA_DIR.`,
  );
}
