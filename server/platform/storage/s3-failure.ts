import { StorageUnavailable } from "./storage.ts";

/** Errors of the SDK carry the status of the answer, those of the network do not. */
const statusOf = (error: unknown): number | undefined => {
  if (!(error instanceof Error) || !("$metadata" in error)) return undefined;
  const metadata = error.$metadata;
  if (typeof metadata !== "object" || metadata === null || !("httpStatusCode" in metadata)) return undefined;
  return typeof metadata.httpStatusCode === "number" ? metadata.httpStatusCode : undefined;
};

export const hasStatus = (error: unknown, ...statuses: readonly number[]): boolean =>
  statuses.some((status) => statusOf(error) === status);

/** Error codes of servers for a full bucket; S3 itself has none. */
const full = /quota|storagefull|insufficientstorage/i;
/** Of the local disk, where bytes are staged until they are sent. */
const localCodes = ["ENOSPC", "EDQUOT", "ENOENT", "EEXIST", "EACCES", "EXDEV"];

/**
 * Wraps storage failures as `StorageUnavailable`, with the SDK's error as cause; a full bucket is reported like a full
 * disk. Other errors are returned unchanged.
 */
export function failedOnItsSide(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error;
  if (hasStatus(error, 416)) return error; // the range is outside of the object
  if (hasStatus(error, 507) || (statusOf(error) !== undefined && full.test(error.name)))
    return Object.assign(new Error("the bucket is full", { cause: error }), { code: "ENOSPC" });
  if ("code" in error && localCodes.some((code) => code === error.code)) return error;
  return new StorageUnavailable(`the storage responds with ${error.name}`, { cause: error });
}
