import { systemClock } from "./clock.ts";
import { inDatabase, Mistake, runCommand } from "./command-line.ts";
import { rotateSessionSecret } from "./sign-in/session-secrets.ts";

const usage = `npm run sessions -- rotate-secret    a new key for sessions by password; those that are open go on
npm run sessions -- end-all          a new key, and everybody who signed in by password has to do so again
`;

function rotate(keep: boolean, said: string) {
  return async (parameters: string[]): Promise<string> => {
    if (parameters.length > 0) throw new Mistake(usage);
    await inDatabase(async ({ db, settings }) => {
      if (settings["auth.session.secret"] !== undefined)
        throw new Mistake(
          "The key is the setting auth.session.secret. Change it there; auth.session.previousSecret takes the old one for as long as open sessions shall go on.",
        );
      await rotateSessionSecret(db, systemClock, keep);
    });
    return said;
  };
}

const commands = {
  "rotate-secret": rotate(true, "Sessions have a new key. Those that are open go on until they end by themselves."),
  "end-all": rotate(false, "Sessions have a new key. Everybody who signed in by password has to do so again."),
};

await runCommand(commands, usage);
