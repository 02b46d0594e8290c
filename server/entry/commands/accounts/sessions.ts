import { rotateSessionSecret } from "../../../identity/tokens/session-secret-store.ts";
import { systemClock } from "../../../platform/clock.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { securityLog } from "../../../platform/event-log/security-log.ts";
import { command } from "../command.ts";
import { inInstallation } from "../installation.ts";

async function rotate(environment: Record<string, string | undefined>, keep: boolean): Promise<void> {
  await inInstallation(environment, async ({ db, settings }) => {
    if (settings["auth.session.secret"] !== undefined)
      throw new OperatorError(
        "The key is the setting auth.session.secret. Change it there; auth.session.previousSecret takes the old one for as long as open sessions shall go on.",
      );
    await rotateSessionSecret(db, systemClock, keep);
    if (!keep)
      await securityLog(db, systemClock()).sessionEnd({ account: undefined, by: undefined, detail: "operator" });
  });
}

export const sessionsRotateSecret = command({
  name: "sessions rotate-secret",
  summary: "Makes a new key for sessions by password; those that are open go on.",
  async run({ environment, print }) {
    await rotate(environment, true);
    print("Sessions have a new key. Those that are open go on until they end by themselves.");
  },
});

export const sessionsEndAll = command({
  name: "sessions end-all",
  summary: "Makes a new key, so that everybody who signed in by password has to do so again.",
  async run({ environment, print }) {
    await rotate(environment, false);
    print("Sessions have a new key. Everybody who signed in by password has to do so again.");
  },
});
