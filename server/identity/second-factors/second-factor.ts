import { longestFactorName, type SecondFactorKind, type SecondStepMethod } from "@packhouse/contract/second-factors";
import type { ViolationCode } from "@packhouse/contract/violations";

/** More would not protect better, and one user could fill the database. */
const mostFactors = 10;

/** What the second step of a sign-in accepts from a user with these factors. */
export function secondStepMethods(
  kinds: readonly SecondFactorKind[],
  has: { passkeysWork: boolean; recoveryCodes: number },
): SecondStepMethod[] {
  const methods: SecondStepMethod[] = [];
  if (has.passkeysWork && kinds.includes("passkey")) methods.push("passkey");
  if (kinds.includes("totp")) methods.push("totp");
  if (has.recoveryCodes > 0) methods.push("recoveryCode");
  return methods;
}

/** What can be added: passkeys belong to the host name of a public address, and browsers demand HTTPS for them. */
export const addableKinds = (passkeysWork: boolean): SecondFactorKind[] =>
  passkeysWork ? ["passkey", "totp"] : ["totp"];

/** The name as it is kept, or undefined where it is no name. */
export function factorName(given: string): string | undefined {
  const name = given.normalize("NFC").trim();
  const isName = name.length > 0 && name.length <= longestFactorName && !/\p{Cc}/u.test(name);
  return isName ? name : undefined;
}

/** What stands in the way of one more factor. */
export const mayNotAdd = (present: number): ViolationCode[] =>
  present >= mostFactors ? ["second.factor.too.many"] : [];

/** What stands in the way of removing one. */
export const mayNotRemove = (present: number, required: boolean): ViolationCode[] =>
  required && present <= 1 ? ["second.factor.last.required"] : [];
