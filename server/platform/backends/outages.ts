import { databaseFailure } from "../db/database-failures.ts";
import { StorageUnavailable } from "../storage/storage.ts";

/**
 * Failures of the machine or of backends after which the same call may succeed later: no answer, or a full disk.
 * Undefined if the failure is a defect.
 */
export function failureAround(error: unknown): "unavailable" | "full" | undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "full";
  return error instanceof StorageUnavailable ? "unavailable" : databaseFailure(error);
}
