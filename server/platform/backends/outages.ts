import { databaseFailure } from "../db/database-failures.ts";
import { hasCode } from "../errors/has-code.ts";
import { StorageUnavailable } from "../storage/storage.ts";

/**
 * The kind of an outage of the machine or the backends, after which the same call may succeed later: the database or the
 * storage is unavailable, or a disk is full. Undefined: the failure is a defect of ours.
 */
export function outageKind(error: unknown): "database" | "storage" | "full" | undefined {
  if (hasCode(error, "ENOSPC")) return "full";
  if (error instanceof StorageUnavailable) return "storage";
  const failure = databaseFailure(error);
  return failure === "unavailable" ? "database" : failure;
}
