import type { Db, Tx } from "../db/database.ts";
import { lockUsers } from "../db/transactions/lock-user.ts";
import type { Settings } from "../settings/settings.ts";
import { beyondLimit } from "./exceeded.ts";
import { quotaStore } from "./quota-store.ts";

/** There is room again once a submission is decided, at an unknown time. */
const retryAfterSeconds = 300;

interface Waiting {
  submitterId: number;
  repositoryId: number;
  /** Size of the upload. */
  bytes: number;
  /** Id of the waiting package whose place it takes. */
  replaces: number | undefined;
}

/**
 * Refuses an upload if too many others are waiting. Counts under locks of both the submitter and the repository:
 * otherwise concurrent uploads would all find room for one more. A transaction may be made twice, so the caller counts
 * refusals.
 */
export async function checkWaitingQuotas(
  settings: Settings,
  db: Db | Tx,
  { submitterId, repositoryId, bytes, replaces = 0 }: Waiting,
): Promise<void> {
  const perUser = settings["limits.waiting.perUser"];
  const perRepository = settings["limits.waiting.perRepository"];
  const bytesPerUser = settings["limits.waiting.bytesPerUser"];
  if (perUser + perRepository + bytesPerUser === 0) return;
  const waiting = await quotaStore(db).waiting({ submitterId, repositoryId, replaces });
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
