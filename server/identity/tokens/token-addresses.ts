import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";

/** Uses that this process has seen, to save busy clients a statement per request. */
const mostRemembered = 10_000;

/** Distinguishes new addresses of access tokens from known ones: the first use from an address is a security event. */
export interface TokenAddresses {
  used(token: { id: number; userId: number }, address: string): Promise<void>;
}

export function tokenAddresses(db: Db, clock: Clock): TokenAddresses {
  const seen = new Set<string>();
  return {
    async used({ id, userId }, address) {
      const key = `${id} ${address}`;
      if (seen.has(key)) return;
      await securityLog(db, clock()).tokenUse({ token: { id }, user: { id: userId }, address });
      const [oldest] = seen;
      if (seen.size >= mostRemembered && oldest !== undefined) seen.delete(oldest);
      seen.add(key);
    },
  };
}
