import { rm, writeFile } from "node:fs/promises";
import type { FirstAdministrator } from "../identity/accounts/accounts-of-settings.ts";

/** Prints where the product is: the terminal is for people, the log for machines. */
export function announce(address: string): void {
  process.stdout.write(
    `\nPackhouse is ready at ${address.replace("127.0.0.1", "localhost")}\nPress Ctrl-C to stop it.\n\n`,
  );
}

/** The same for the demo, with its public sign-ins. */
export function announceDemo(address: string, password: string, mailTo: string | undefined): void {
  announce(address);
  process.stdout.write(
    `Sign in as admin, repository-maintainer, package-maintainer or user; the password is ${password}\n${mailTo === undefined ? "" : `Mail is not sent, but written to ${mailTo}\n`}\n`,
  );
}

/**
 * Shows the generated password of the first administrator once: on the terminal, or where there is none
 * in a file that only the owner can read. Never in the log.
 */
export async function tellAdministrator(first: FirstAdministrator | undefined, passwordFile: string): Promise<void> {
  if (!first?.generatedPassword) return;
  if (process.stdout.isTTY) {
    process.stdout.write(
      `\nThe first administrator:\n  login     ${first.login}\n  password  ${first.generatedPassword}\nThe password is shown only once.\n`,
    );
    return;
  }
  // A new file, so that neither a link nor the mode of an earlier one decides who reads it.
  await rm(passwordFile, { force: true });
  await writeFile(passwordFile, `${first.generatedPassword}\n`, { mode: 0o600, flag: "wx" });
  process.stdout.write(`\nThe first administrator is ${first.login}; the generated password is in ${passwordFile}\n`);
}
