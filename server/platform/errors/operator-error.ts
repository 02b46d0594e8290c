/**
 * An error in what an operator wrote: a wrong setting, a wrong option. Shown as one sentence, without a stack trace.
 */
export class Mistake extends Error {}

/**
 * An obstacle on this machine: a busy port, a read-only folder. The same call may succeed once it is removed. Shown as
 * one sentence, without a stack trace.
 */
export class Obstacle extends Error {}

const reasons: Record<string, string> = {
  EACCES: "this account may not use it",
  EPERM: "this account may not change it",
  EROFS: "its file system can only be read",
  ENOTDIR: "a part of its path is not a folder",
  EEXIST: "a file is in its place",
  ELOOP: "its path has a symbolic link that leads in a circle or is not allowed here",
  ENAMETOOLONG: "its path is too long",
  EMFILE: "too many files are open",
  ENFILE: "too many files are open",
};

/** What the operating system refused, as a sentence; undefined for everything else. */
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
