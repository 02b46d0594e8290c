import { databaseFailure } from "../db/database-failures.ts";
import { StorageUnavailable } from "../storage/storage.ts";

/**
 * What the machine and the services around us do, where the same call may succeed later: nobody answers, or a disk is
 * full. Undefined: the failure is ours.
 */
export function outageKind(error: unknown): "unavailable" | "full" | undefined {
  if (error instanceof Error && "code" in error && error.code === "ENOSPC") return "full";
  return error instanceof StorageUnavailable ? "unavailable" : databaseFailure(error);
}
