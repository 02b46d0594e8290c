import { instantText } from "@packhouse/contract/envelope";
import type { EnrollmentConfirmation, SecondFactorKind, StartedEnrollment } from "@packhouse/contract/second-factors";
import type { Actor } from "../../http/actor.ts";
import type { Tx } from "../../platform/db/database.ts";
import type { NewSecondFactorRow } from "../../platform/db/schema.ts";
import { lockUser } from "../../platform/db/transactions/lock-user.ts";
import { invalid, Refusal } from "../../platform/errors/refusal.ts";
import { securityLog } from "../../platform/event-log/security-log.ts";
import { accounts } from "../accounts/account-store.ts";
import type { IdentityDeps } from "../deps.ts";
import { confirmPassword } from "../passwords/confirm-password.ts";
import type { SignInClient } from "../sessions/sign-in-client.ts";
import {
  type Continuation,
  finishContinuation,
  openContinuation,
  setExpected,
  tryContinuation,
} from "./continuation-store.ts";
import { createdPasskey, newChallenge, passkeyCreationOptions, relyingPartyOf } from "./passkeys.ts";
import { hashOfRecoveryCode, newRecoveryCodes } from "./recovery-codes.ts";
import { factorName, mayNotAdd } from "./second-factor.ts";
import { PasskeyTaken, type SecondFactor, secondFactors } from "./store.ts";
import { newTotpSecret, secretText, stepOfCode, totpAddress } from "./totp.ts";

type EnrollDeps = Pick<IdentityDeps, "db" | "clock" | "settings">;
type Purpose = "enroll" | "enroll-at-sign-in";

/** During a sign-in nobody is signed in yet, so failures are answered by 401. */
const refusals: Record<Purpose, { expired(): Refusal; notAccepted(): Refusal }> = {
  enroll: {
    expired: () => invalid(["second.factor.enrollment.expired"]),
    notAccepted: () => invalid(["second.factor.not.accepted"]),
  },
  "enroll-at-sign-in": {
    expired: () => new Refusal("second.factor.expired"),
    notAccepted: () => new Refusal("second.factor.refused"),
  },
};

/** Starts adding a factor for a signed-in user who confirms the password. */
export async function startEnrollment(
  deps: EnrollDeps,
  actor: Actor,
  { method, password }: { method: SecondFactorKind; password: string },
  { address, site }: Pick<SignInClient, "address" | "site">,
): Promise<StartedEnrollment> {
  const { sessionEpoch } = await confirmPassword(deps, actor, password, address);
  const codes = mayNotAdd((await secondFactors(deps.db).of(actor.id)).length);
  if (codes.length > 0) throw invalid(codes);
  const { expected, shown } = await newSecrets(deps, actor, method, site);
  const { token, expires } = await openContinuation(deps, {
    userId: actor.id,
    sessionEpoch,
    purpose: "enroll",
    ...expected,
  });
  return { continuation: token, expires: instantText(expires), ...shown };
}

/** The same during a sign-in with the correct password, for users who must add their first factor. */
export async function startEnrollmentAtSignIn(
  deps: EnrollDeps,
  { continuation, method }: { continuation: string; method: SecondFactorKind },
  site: string,
): Promise<StartedEnrollment> {
  const waiting = await tryContinuation(deps, continuation, "enroll-at-sign-in");
  if (!waiting) throw new Refusal("second.factor.expired");
  const user = await accounts(deps.db).namesOf(waiting.userId);
  const { expected, shown } = await newSecrets(deps, user, method, site);
  await setExpected(deps, waiting, expected);
  return { continuation, expires: instantText(waiting.expires), ...shown };
}

/** What the server stores for a new factor, and what the user is shown. */
async function newSecrets(
  { db, settings }: EnrollDeps,
  user: { id: number; login: string; name: string },
  method: SecondFactorKind,
  site: string,
): Promise<{
  expected: { challenge: string | null; totpSecret: Buffer | null };
  shown: Pick<StartedEnrollment, "totp" | "passkey">;
}> {
  if (method === "totp") {
    const totpSecret = newTotpSecret();
    const address = totpAddress(totpSecret, settings.title, user.login);
    return {
      expected: { challenge: null, totpSecret },
      shown: { totp: { secret: secretText(totpSecret), address }, passkey: null },
    };
  }
  const party = relyingPartyOf(site);
  if (!party) throw invalid(["second.factor.passkeys.unavailable"]);
  const challenge = newChallenge();
  const { passkeys: known } = await secondFactors(db).secretsOf(user.id);
  return {
    expected: { challenge, totpSecret: null },
    shown: { totp: null, passkey: passkeyCreationOptions(party, challenge, { title: settings.title, user, known }) },
  };
}

export interface AddedFactor {
  factor: SecondFactor;
  /** Only with the first factor; shown only once. */
  recoveryCodes: string[];
  userId: number;
  sessionEpoch: number;
}

/** Adds a factor once its first use has shown that it works. */
export async function confirmEnrollment(
  deps: EnrollDeps,
  purpose: Purpose,
  confirmation: EnrollmentConfirmation,
  { site, address, owner }: Pick<SignInClient, "address" | "site"> & { owner?: { id: number } },
): Promise<AddedFactor> {
  const name = factorName(confirmation.name);
  if (name === undefined) throw invalid(["second.factor.name.invalid"]);
  const waiting = await tryContinuation(deps, confirmation.continuation, purpose);
  if (!waiting || (owner && owner.id !== waiting.userId)) throw refusals[purpose].expired();
  const proved = await provedFactor(deps, waiting, confirmation, site);
  if (!proved) throw refusals[purpose].notAccepted();

  const now = deps.clock();
  const row: NewSecondFactorRow = { ...proved, user_id: waiting.userId, name, created_on: now };
  try {
    const added = await deps.db.transaction().execute(async (tx) => {
      await lockUser(tx, waiting.userId);
      if (!(await finishContinuation(tx, waiting))) throw refusals[purpose].expired();
      return add(tx, row, waiting, { now, address });
    });
    return { ...added, userId: waiting.userId, sessionEpoch: waiting.sessionEpoch };
  } catch (error) {
    throw error instanceof PasskeyTaken ? invalid(["second.factor.already.added"]) : error;
  }
}

async function provedFactor(
  { clock }: EnrollDeps,
  { totpSecret, challenge }: Continuation,
  confirmation: EnrollmentConfirmation,
  site: string,
): Promise<Omit<NewSecondFactorRow, "user_id" | "name" | "created_on"> | undefined> {
  if ("code" in confirmation) {
    const step = totpSecret ? stepOfCode(totpSecret, confirmation.code, clock()) : undefined;
    // The code that verified the app must not be used again either.
    return step === undefined ? undefined : { kind: "totp", totp_secret: totpSecret, totp_last_step: step };
  }
  const party = relyingPartyOf(site);
  if (!party || challenge === null) return undefined;
  const passkey = await createdPasskey(party, challenge, confirmation.attestation);
  return (
    passkey && {
      kind: "passkey",
      credential_id: passkey.credentialId,
      public_key: Buffer.from(passkey.publicKey),
      signature_count: passkey.signatureCount,
      transports: passkey.transports,
    }
  );
}

async function add(
  tx: Tx,
  row: NewSecondFactorRow,
  { userId, sessionEpoch, purpose }: Continuation,
  { now, address }: { now: Date; address: string },
): Promise<Pick<AddedFactor, "factor" | "recoveryCodes">> {
  const user = await accounts(tx).stateOf(userId);
  // The password was changed or the account deactivated since the step started.
  if (user.session_epoch !== sessionEpoch || !user.active || user.deleted)
    throw new Refusal("error.user.not.authenticated");
  const store = secondFactors(tx);
  const present = (await store.of(userId)).length;
  // The password alone opened this step, when there was no factor: one added since must be verified.
  if (purpose === "enroll-at-sign-in" && present > 0) throw refusals[purpose].expired();
  const codes = mayNotAdd(present);
  if (codes.length > 0) throw invalid(codes);
  const factor = await store.insert(row);
  const recoveryCodes = present === 0 ? newRecoveryCodes() : [];
  if (present === 0) await store.replaceRecoveryCodes(userId, recoveryCodes.map(hashOfRecoveryCode), now);
  const account = { id: userId };
  await securityLog(tx, now).secondFactorChange({
    account,
    by: account,
    address,
    detail: "added",
    factor: factor.name,
  });
  return { factor, recoveryCodes };
}
