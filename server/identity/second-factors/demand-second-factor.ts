import { instantText } from "@packhouse/contract/envelope";
import { type RoleName, roleOfRank } from "@packhouse/contract/roles";
import type { EnrollmentDemand, SecondFactorDemand } from "@packhouse/contract/second-factors";
import { Refusal } from "../../platform/errors/refusal.ts";
import type { IdentityDeps } from "../deps.ts";
import { openContinuation } from "./continuation-store.ts";
import { newChallenge, passkeyRequestOptions, relyingPartyOf } from "./passkeys.ts";
import { addableKinds, secondStepMethods } from "./second-factor.ts";
import { secondFactors } from "./store.ts";

/** Whether the settings require a second factor for a role. */
export const isRequired = (settings: IdentityDeps["settings"], role: RoleName): boolean =>
  settings["auth.secondFactor.requiredFor"].includes(role);

type DemandDeps = Pick<IdentityDeps, "db" | "clock" | "settings">;

/** The parts of an account that decide what a sign-in requires. */
interface SigningUser {
  id: number;
  rank: number;
  session_epoch: number;
}

/**
 * What a sign-in with the correct password still requires of a user with second factors. `site` is the address under
 * which the user reaches the server.
 */
export async function demandSecondFactor(
  deps: DemandDeps,
  user: SigningUser,
  site: string,
): Promise<Refusal | undefined> {
  const store = secondFactors(deps.db);
  const factors = await store.of(user.id);
  if (factors.length === 0) return undefined;
  const party = relyingPartyOf(site);
  const methods = secondStepMethods(
    factors.map(({ kind }) => kind),
    { passkeysWork: party !== undefined, recoveryCodes: await store.recoveryCodesLeft(user.id) },
  );
  const challenge = newChallenge();
  const { passkeys } = await store.secretsOf(user.id);
  const { token, expires } = await openContinuation(deps, {
    userId: user.id,
    sessionEpoch: user.session_epoch,
    purpose: "sign-in",
    challenge,
  });
  return new Refusal("second.factor.required", {
    continuation: token,
    expires: instantText(expires),
    methods,
    passkey: party && methods.includes("passkey") ? passkeyRequestOptions(party, challenge, passkeys) : null,
  } satisfies SecondFactorDemand);
}

/** The same for a user without any whose role requires one: it must be added before the session starts. */
export async function demandEnrollment(
  deps: DemandDeps,
  user: SigningUser,
  site: string,
): Promise<Refusal | undefined> {
  if (!isRequired(deps.settings, roleOfRank(user.rank).name)) return undefined;
  if ((await secondFactors(deps.db).of(user.id)).length > 0) return undefined;
  const { token, expires } = await openContinuation(deps, {
    userId: user.id,
    sessionEpoch: user.session_epoch,
    purpose: "enroll-at-sign-in",
  });
  return new Refusal("second.factor.enrollment.required", {
    continuation: token,
    expires: instantText(expires),
    methods: addableKinds(relyingPartyOf(site) !== undefined),
  } satisfies EnrollmentDemand);
}
