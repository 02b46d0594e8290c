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

/** No room in the bucket, by the names that servers have for it; there is none for it in S3 itself. */
const full = /quota|storagefull|insufficientstorage/i;
/** Of the local disk, where the bytes lie until they are sent. */
const localCodes = ["ENOSPC", "EDQUOT", "ENOENT", "EEXIST", "EACCES", "EXDEV"];

/**
 * What the storage is to be blamed for as `StorageUnavailable`, with the SDK's error as its cause; a full bucket like a
 * full disk. Other errors stay what they are.
 */
export function failedOnItsSide(error: unknown): unknown {
  if (!(error instanceof Error) || error instanceof StorageUnavailable) return error;
  if (hasStatus(error, 416)) return error; // we asked for what the object does not have
  if (hasStatus(error, 507) || (statusOf(error) !== undefined && full.test(error.name)))
    return Object.assign(new Error("the bucket is full", { cause: error }), { code: "ENOSPC" });
  if ("code" in error && localCodes.some((code) => code === error.code)) return error;
  return new StorageUnavailable(`the storage answers with ${error.name}`, { cause: error });
}
