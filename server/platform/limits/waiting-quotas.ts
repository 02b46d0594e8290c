import type { Db, Tx } from "../db/database.ts";
import { lockUsers } from "../db/transactions/lock-user.ts";
import type { Settings } from "../settings/settings.ts";
import { beyondLimit } from "./exceeded.ts";
import { quotaStore } from "./quota-store.ts";

/** There is room again once a submission is decided, at an unknown time. */
const retryAfterSeconds = 300;

/** What waits for a decision, as far as quotas limit it. */
type WaitingUploads = Awaited<ReturnType<ReturnType<typeof quotaStore>["waiting"]>>;

interface CountedFor {
  submitterId: number;
  repositoryId: number;
  /** Id of the waiting package whose place an upload takes. */
  replaces?: number | undefined;
}

/**
 * Counts what waits; undefined if there is no quota. For a decision that holds, under locks of both the submitter and
 * the repository: otherwise concurrent uploads would all find room for one more.
 */
export async function countWaiting(
  settings: Settings,
  db: Db | Tx,
  { replaces = 0, ...counted }: CountedFor,
): Promise<WaitingUploads | undefined> {
  const quotas = ["limits.waiting.perUser", "limits.waiting.perRepository", "limits.waiting.bytesPerUser"] as const;
  return quotas.some((quota) => settings[quota] > 0) ? quotaStore(db).waiting({ ...counted, replaces }) : undefined;
}

/**
 * Refuses an upload of so many bytes if too many others are waiting. A transaction may be made twice, so the caller counts
 * refusals.
 */
export function checkWaitingQuotas(settings: Settings, waiting: WaitingUploads, bytes: number): void {
  const perUser = settings["limits.waiting.perUser"];
  const perRepository = settings["limits.waiting.perRepository"];
  const bytesPerUser = settings["limits.waiting.bytesPerUser"];
  if (perUser > 0 && waiting.ofUser >= perUser)
    throw beyondLimit("too.many.waiting.submissions", { allowed: perUser, retryAfterSeconds });
  if (bytesPerUser > 0 && waiting.bytesOfUser + bytes > bytesPerUser)
    throw beyondLimit("too.many.waiting.bytes", {
      allowed: bytesPerUser,
      retryAfterSeconds,
      unit: "content-bytes",
    });
  if (perRepository > 0 && waiting.inRepository >= perRepository)
    throw beyondLimit("too.many.waiting.submissions.in.repository", { allowed: perRepository, retryAfterSeconds });
}

/** Locks the quotas of users until the transaction ends. Locks are taken in the order users, repositories. */
export const holdQuotasOf = (tx: Tx, userIds: readonly number[]): Promise<void> => lockUsers(tx, userIds);
