import { text } from "node:stream/consumers";
import type { ViolationCode } from "@packhouse/contract/violations";
import { generatePassword, hashPassword } from "../../../identity/passwords/password.ts";
import { brokenPasswordRules } from "../../../identity/passwords/password-rules.ts";
import { OperatorError } from "../../../platform/errors/operator-error.ts";
import { readSettings } from "../../../platform/settings/settings.ts";
import { type CommandIo, flag } from "../command.ts";

/** What is wrong with a password, as shown in a terminal. */
const sentences: Partial<Record<ViolationCode, (shortest: number) => string>> = {
  "password.too.short": (shortest) => `A password must have at least ${shortest} characters.`,
  "password.too.long": () => "The password is too long.",
  "password.too.common": () => "This password is too common.",
  "password.is.login": () => "The password is too similar to the login, name or email address.",
};

export const passwordOptions = { "password-stdin": flag("Reads the password from standard input.") };

/** There is no option for the password itself: every user of a machine can read the arguments of running programs. */
export const passwordDetails =
  "The password is read from standard input with --password-stdin, or from the variable PACKHOUSE_PERSON_PASSWORD. Otherwise, one is generated and printed once.";

/** The hash of the password, and what to add to the message. */
export async function chosenPassword(
  { environment, input }: Pick<CommandIo, "environment" | "input">,
  fromInput: boolean,
  owner: { login: string; name?: string | undefined; email?: string | undefined },
): Promise<{ hash: string; suffix: string }> {
  const given = fromInput ? (await text(input)).replace(/\r?\n$/, "") : environment.PACKHOUSE_PERSON_PASSWORD;
  if (given !== undefined) {
    const shortest = readSettings(environment)["auth.password.minLength"];
    const [broken] = await brokenPasswordRules(given, owner, shortest);
    if (broken) throw new OperatorError(sentences[broken]?.(shortest) ?? broken);
  }
  const password = given ?? generatePassword();
  return { hash: await hashPassword(password), suffix: given === undefined ? `; password: ${password}` : "" };
}
