import { longestFactorName, type SecondFactorKind, type SecondStepMethod } from "@packhouse/contract/second-factors";
import type { ViolationCode } from "@packhouse/contract/violations";

/** More would not improve security, and one user could fill the database. */
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

/** What can be added: passkeys are bound to the host name of a public address, and browsers require HTTPS for them. */
export const addableKinds = (passkeysWork: boolean): SecondFactorKind[] =>
  passkeysWork ? ["passkey", "totp"] : ["totp"];

/** The name as it is stored, or undefined if it is invalid. */
export function factorName(given: string): string | undefined {
  const name = given.normalize("NFC").trim();
  const isName = name.length > 0 && name.length <= longestFactorName && !/\p{Cc}/u.test(name);
  return isName ? name : undefined;
}

/** Why no factor can be added. */
export const mayNotAdd = (present: number): ViolationCode[] =>
  present >= mostFactors ? ["second.factor.too.many"] : [];

/** Why a factor cannot be removed. */
export const mayNotRemove = (present: number, required: boolean): ViolationCode[] =>
  required && present <= 1 ? ["second.factor.last.required"] : [];
