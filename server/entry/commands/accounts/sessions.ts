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
        "The key is the setting auth.session.secret. Change it there, and set auth.session.previousSecret to the old key for as long as open sessions should stay valid.",
      );
    await rotateSessionSecret(db, systemClock, keep);
    if (!keep)
      await securityLog(db, systemClock()).sessionEnd({ account: undefined, by: undefined, detail: "operator" });
  });
}

export const sessionsRotateSecret = command({
  name: "sessions rotate-secret",
  summary: "Creates a new key for password sessions; open sessions stay valid.",
  async run({ environment, print }) {
    await rotate(environment, true);
    print("Sessions have a new key. Open sessions stay valid until they end by themselves.");
  },
});

export const sessionsEndAll = command({
  name: "sessions end-all",
  summary: "Creates a new key, so that all users who signed in with a password must sign in again.",
  async run({ environment, print }) {
    await rotate(environment, false);
    print("Sessions have a new key. All users who signed in with a password must sign in again.");
  },
});
