import type { SecurityEventDetail } from "@packhouse/contract/security-events";
import type { Tx } from "../../platform/db/database.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "./account-store.ts";

export interface NewPassword {
  hash: string;
  /** Who changes it, for the event; undefined for the command line. */
  change: {
    detail: SecurityEventDetail<"passwordChange">;
    by: { id: number } | undefined;
    address?: string | undefined;
    at: Date;
  };
  /** Temporary: it can only be used to choose a new password. */
  changeRequired?: boolean;
  /** Keeps access tokens active. Otherwise they end, since anyone who had the old password may have created some. */
  keepAccessTokens?: boolean;
}

/** Every password change goes through here: it ends sessions and access tokens. */
export async function setPassword(tx: Tx, userId: number, password: NewPassword): Promise<void> {
  const store = accounts(tx);
  await store.setPassword(userId, password.hash, password.changeRequired ?? false);
  await store.endSessions(userId);
  if (!password.keepAccessTokens) await store.deactivateAccessTokens(userId);
  const { at, ...change } = password.change;
  await securityLog(tx, at).passwordChange({ account: { id: userId }, ...change });
}
