import pg from "pg";
import { hasCode } from "../errors/has-code.ts";

/** Database outages. `unavailable` may be over in a moment; `full` requires someone to free space. */
export type DatabaseFailure = "unavailable" | "full";

/** SQLSTATE of PostgreSQL, appendix A. */
const unavailable = [
  /^08/, // the connection
  /^40(001|P01)$/, // two transactions waited for each other, and this one was given up
  /^57P0[1-4]$/, // shut down, crashed, starting, or the database was dropped
  /^57014$/, // the statement was canceled by an administrator or by a timeout
  /^53[23]00$/, // no memory; no free connection
  /^25006$/, // read-only, since another server has taken over
];
const full = "53100";

/** Messages of the driver and its pool when no server answers; they have no error codes. */
const saidByDriver =
  /^(Connection terminated|Client (has encountered a connection error|was closed) and is not queryable|timeout exceeded when trying to connect|timeout expired)/;
/** System errors while connecting to a server or talking to it. */
const saidBySystem = new Set(["connect", "read", "write", "getaddrinfo"]);

/** Undefined if the failure is a defect or unrelated to the database. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error instanceof pg.DatabaseError) {
    const { code = "" } = error;
    if (code === full) return "full";
    return unavailable.some((pattern) => pattern.test(code)) ? "unavailable" : undefined;
  }
  const ofSystem = "syscall" in error && typeof error.syscall === "string" && saidBySystem.has(error.syscall);
  return !hasCode(error, "ENOSPC") && (ofSystem || saidByDriver.test(error.message)) ? "unavailable" : undefined;
}
