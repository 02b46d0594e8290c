import type { SecurityEventDetail } from "@packhouse/contract/security-events";
import type { Tx } from "../../platform/db/database.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "./account-store.ts";

export interface NewPassword {
  hash: string;
  /** Who changes it, for the event: undefined is the command line. */
  change: {
    detail: SecurityEventDetail<"passwordChange">;
    by: { id: number } | undefined;
    address?: string | undefined;
    at: Date;
  };
  /** It can only be used to choose another one. */
  changeRequired?: boolean;
  /** Access tokens stay active. Anyone who had the old password may have made some, so they end unless this is set. */
  keepAccessTokens?: boolean;
}

/** Every change of a password ends here: sessions end, and access tokens with them. */
export async function setPassword(tx: Tx, userId: number, password: NewPassword): Promise<void> {
  const store = accounts(tx);
  await store.setPassword(userId, password.hash, password.changeRequired ?? false);
  await store.endSessions(userId);
  if (!password.keepAccessTokens) await store.deactivateAccessTokens(userId);
  const { at, ...change } = password.change;
  await securityLog(tx, at).passwordChange({ account: { id: userId }, ...change });
}
