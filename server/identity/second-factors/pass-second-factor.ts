import type { PasskeyAssertion, SecondStep } from "@packhouse/contract/second-factors";
import type { Tx } from "../../platform/db/database.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import type { IdentityDeps } from "../deps.ts";
import type { SignInClient } from "../sessions/sign-in-client.ts";
import { forgetAttempts, reserveAttempt } from "./attempt-store.ts";
import { type Continuation, finishContinuation, tryContinuation } from "./continuation-store.ts";
import { relyingPartyOf, usedPasskey } from "./passkeys.ts";
import { hashOfRecoveryCode } from "./recovery-codes.ts";
import { secondFactors } from "./store.ts";
import { stepOfCode } from "./totp.ts";

/** Marks the factor as used. False: the code or signature was used before. */
type Accept = (tx: Tx) => Promise<boolean>;

/** Finishes a sign-in with a second factor; returns the user whose password and second factor were both correct. */
export async function passSecondFactor(
  deps: Pick<IdentityDeps, "db" | "clock" | "watch">,
  step: SecondStep,
  { address, site }: Pick<SignInClient, "address" | "site">,
): Promise<{ userId: number; sessionEpoch: number }> {
  const waiting = await tryContinuation(deps, step.continuation, "sign-in");
  if (!waiting) throw new Refusal("second.factor.expired");
  const guessable = !("assertion" in step);
  if (guessable) await reserveAttempt(deps, waiting.userId, address);
  const accept = await checked(deps, waiting, step, site);
  const accepted =
    accept !== undefined &&
    (await deps.db.transaction().execute(async (tx) => {
      // Under the lock that acceptance takes, so that only one of two concurrent sign-ins can use the code.
      if (!(await accept(tx))) return false;
      if (!(await finishContinuation(tx, waiting))) throw new Refusal("second.factor.expired");
      if (guessable) await forgetAttempts(tx, waiting.userId, address);
      return true;
    }));
  if (!accepted) {
    deps.watch.signInFailed("second-factor");
    const account = { id: waiting.userId };
    await securityLog(deps.db, deps.clock()).signInFailed({ login: "", account, address, detail: "secondFactor" });
    throw new Refusal("second.factor.refused");
  }
  return waiting;
}

/** How to accept a step that was proven, undefined if it was not. */
async function checked(
  deps: Pick<IdentityDeps, "db" | "clock">,
  waiting: Continuation,
  step: SecondStep,
  site: string,
): Promise<Accept | undefined> {
  if ("assertion" in step) return checkedPasskey(deps, waiting, step.assertion, site);
  if ("recoveryCode" in step) return recoveryCode(deps, waiting.userId, step.recoveryCode);
  const now = deps.clock();
  const { totps } = await secondFactors(deps.db).secretsOf(waiting.userId);
  for (const { id, secret } of totps) {
    const timeStep = stepOfCode(secret, step.code, now);
    if (timeStep !== undefined) return (tx) => secondFactors(tx).acceptStep(id, timeStep, now);
  }
  return undefined;
}

async function checkedPasskey(
  { db, clock }: Pick<IdentityDeps, "db" | "clock">,
  { userId, challenge }: Continuation,
  assertion: PasskeyAssertion,
  site: string,
): Promise<Accept | undefined> {
  const party = relyingPartyOf(site);
  const { passkeys } = await secondFactors(db).secretsOf(userId);
  // Only the user's own: a passkey of another account proves nothing here.
  const passkey = passkeys.find(({ credentialId }) => credentialId === assertion.id);
  if (!party || !passkey || challenge === null) return undefined;
  const count = await usedPasskey(party, challenge, passkey, assertion);
  return count === undefined ? undefined : (tx) => secondFactors(tx).acceptSignature(passkey.id, count, clock());
}

const recoveryCode =
  ({ clock }: Pick<IdentityDeps, "clock">, userId: number, code: string): Accept =>
  (tx) =>
    secondFactors(tx).acceptRecoveryCode(userId, hashOfRecoveryCode(code), clock());
