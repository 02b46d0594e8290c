import pg from "pg";

/** What the world does to a database. The first may be over in a moment; the second needs somebody who makes room. */
export type DatabaseFailure = "unavailable" | "full";

/** SQLSTATE of PostgreSQL, appendix A. */
const unavailable = [
  /^08/, // the connection
  /^57P0[1-4]$/, // it is shut down, has crashed, starts, or the database was dropped under us
  /^57014$/, // the statement was cancelled: by an administrator, or because it took too long
  /^53[23]00$/, // no memory; no free connection
  /^25006$/, // it only reads, since another server has taken over
];
const full = "53100";

/** What the driver and its pool say when there is no server, or none that answers; they have no codes for it. */
const saidByDriver =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|timeout expired)/;
/** Of the operating system, while it connects to a server or speaks to it. */
const saidBySystem = new Set(["connect", "read", "write", "getaddrinfo"]);

/** Undefined: the failure is ours, or has nothing to do with the database. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    if (code === full) return "full";
    return unavailable.some((pattern) => pattern.test(code)) ? "unavailable" : undefined;
  }
  const ofSystem = "syscall" in error && typeof error.syscall === "string" && saidBySystem.has(error.syscall);
  const fullDisk = "code" in error && error.code === "ENOSPC";
  return !fullDisk && (ofSystem || saidByDriver.test(error.message)) ? "unavailable" : undefined;
}
