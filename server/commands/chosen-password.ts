import { text } from "node:stream/consumers";
import { Mistake } from "../mistake.ts";
import { generatePassword, hashPassword } from "../sign-in/password.ts";
import { flag, type Surroundings } from "./command.ts";

// OWASP ASVS 5.0, 6.2.1.
const shortest = 8;

export const passwordOptions = { "password-stdin": flag("Reads the password from standard input.") };

/** There is no option with the password itself: everybody on the machine can read those of running programs. */
export const passwordDetails =
  "The password comes from standard input with --password-stdin, or from the variable PACKHOUSE_PERSON_PASSWORD. Without either one is generated and printed this once.";

/** The hash of the password, and what is to be said of it. */
export async function chosenPassword(
  { environment, input }: Pick<Surroundings, "environment" | "input">,
  fromInput: boolean,
): Promise<{ hash: string; told: string }> {
  const given = fromInput ? (await text(input)).replace(/\r?\n$/, "") : environment.PACKHOUSE_PERSON_PASSWORD;
  if (given !== undefined && given.length < shortest)
    throw new Mistake(`A password has ${shortest} characters at least.`);
  const password = given ?? generatePassword();
  return { hash: await hashPassword(password), told: given === undefined ? `; password: ${password}` : "" };
}
