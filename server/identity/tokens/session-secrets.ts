import type { Clock } from "../../platform/clock.ts";
import type { Db } from "../../platform/db/database.ts";
import type { Listener } from "../../platform/jobs/listener.ts";
import type { Settings } from "../../platform/settings/settings.ts";
import { readOrMakeSecret, secretChannel } from "./session-secret-store.ts";

/** The keys that sign sessions: from the settings, or created once and shared by all replicas through the database. */
export interface SessionSecrets {
  /** Signs new tokens. */
  current(): Promise<string>;
  /** Keys that tokens may be signed with, newest first. */
  accepted(): Promise<readonly string[]>;
}

export async function sessionSecrets(
  db: Db,
  listener: Listener,
  settings: Settings,
  clock: Clock,
): Promise<SessionSecrets> {
  const given = settings["auth.session.secret"];
  if (given !== undefined) {
    const previous = settings["auth.session.previousSecret"];
    const accepted = previous === undefined ? [given] : [given, previous];
    return { current: async () => given, accepted: async () => accepted };
  }
  let known: ReturnType<typeof readOrMakeSecret> | undefined;
  const forget = () => {
    known = undefined;
  };
  await listener.listen(secretChannel, forget, forget);
  const kept = () => {
    // A server that is not listening may have missed a rotation.
    if (!known || !listener.connected) {
      known = readOrMakeSecret(db, clock);
      known.catch(forget);
    }
    return known;
  };
  const lifetimeMs = settings["auth.session.minutes"] * 60_000;
  return {
    current: async () => (await kept()).current,
    async accepted() {
      const { current, previous } = await kept();
      const going = previous && clock().getTime() - previous.replacedOn.getTime() < lifetimeMs;
      return going ? [current, previous.value] : [current];
    },
  };
}
