import type { ViolationCode } from "@packhouse/contract/violations";
import { nameKey } from "../../platform/names/confusables.ts";

/** Far longer than anyone types, and short enough to be hashed quickly. */
export const longestPassword = 1024;

interface Owner {
  login: string;
  name?: string | undefined;
  email?: string | undefined;
}

/** Every rule that a new password breaks (OWASP ASVS 5.0, 6.2). There are no composition rules. */
export async function brokenPasswordRules(
  password: string,
  owner: Owner,
  shortestPassword: number,
): Promise<ViolationCode[]> {
  const length = Array.from(password).length;
  if (password.length > longestPassword) return ["password.too.long"];
  if (length < shortestPassword) return ["password.too.short"];
  if (saysWhose(password, owner)) return ["password.is.login"];
  return (await commonPasswords()).has(nameKey(password)) ? ["password.too.common"] : [];
}

/** A password that is the login plus at most this many characters is too easily guessed. */
const fewMore = 3;

function saysWhose(password: string, { login, name = login, email = login }: Owner): boolean {
  const key = nameKey(password);
  return [login, name, email, email.split("@")[0] ?? ""].some((word) => {
    const known = nameKey(word);
    return known !== "" && key.includes(known) && key.length - known.length <= fewMore;
  });
}

let common: Promise<ReadonlySet<string>> | undefined;

/** About 49,000 common passwords; read when the first password is chosen. */
function commonPasswords(): Promise<ReadonlySet<string>> {
  common ??= import("@zxcvbn-ts/language-common").then(
    ({ dictionary }) => new Set(dictionary["passwords-common"].map((password) => nameKey(String(password)))),
  );
  return common;
}
