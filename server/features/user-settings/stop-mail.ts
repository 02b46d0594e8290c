import type { MailKind } from "@packhouse/contract/mail";
import { change } from "../../platform/event-log/record-event.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { Deps } from "../deps.ts";
import { settingsBody } from "./present-user-settings.ts";
import { userSettings } from "./store.ts";

interface Stop {
  userId: number;
  kinds: readonly MailKind[];
  /** Of the client. */
  address: string;
}

/** Ends these kinds of mail for a user, as in their settings; false if there is no such user any more. */
export async function stopMail({ db, settings, clock }: Deps, { userId, kinds, address }: Stop): Promise<boolean> {
  return db.transaction().execute(async (tx) => {
    const store = userSettings(tx);
    const before = await store.lock(userId);
    if (!before) return false;
    const known = settingsBody(before, settings);
    const mail = { ...known.mail, ...Object.fromEntries(kinds.map((kind) => [kind, "never"])) };
    const changed = kinds.flatMap((kind) => change(`mail.${kind}`, known.mail[kind], mail[kind]));
    if (changed.length === 0) return true;
    await store.save(userId, { ...known, mail });
    await securityLog(tx, clock()).settingsChange({ account: { id: userId }, by: { id: userId }, address, changed });
    return true;
  });
}
