import { instantText } from "@packhouse/contract/envelope";
import { type RoleName, roleOfRank } from "@packhouse/contract/roles";
import type { EnrollmentDemand, SecondFactorDemand } from "@packhouse/contract/second-factors";
import type { Deps } from "../deps.ts";
import { Refusal } from "../http/refusal.ts";
import { openContinuation } from "./continuations.ts";
import { newChallenge, passkeyRequestOptions, relyingPartyOf } from "./passkeys.ts";
import { addableKinds, secondStepMethods } from "./second-factor.ts";
import { secondFactors } from "./store.ts";

/** Whether the settings demand a second factor of a role. */
export const isRequired = (settings: Deps["settings"], role: RoleName): boolean =>
  settings["auth.secondFactor.requiredFor"].includes(role);

/**
 * What a sign-in with the right password still needs: a second factor, or to add one first. `site` is the address under
 * which the user reaches the server.
 */
export async function demandSecondFactor(
  deps: Pick<Deps, "db" | "clock" | "settings">,
  user: { id: number; rank: number; session_epoch: number },
  site: string,
): Promise<Refusal | undefined> {
  const party = relyingPartyOf(site);
  const store = secondFactors(deps.db);
  const factors = await store.of(user.id);
  const common = { userId: user.id, sessionEpoch: user.session_epoch };
  if (factors.length === 0) {
    if (!isRequired(deps.settings, roleOfRank(user.rank).name)) return undefined;
    const { token, expires } = await openContinuation(deps, { ...common, purpose: "enroll-at-sign-in" });
    return new Refusal("second.factor.enrollment.required", {
      continuation: token,
      expires: instantText(expires),
      methods: addableKinds(party !== undefined),
    } satisfies EnrollmentDemand);
  }
  const methods = secondStepMethods(
    factors.map(({ kind }) => kind),
    { passkeysWork: party !== undefined, recoveryCodes: await store.recoveryCodesLeft(user.id) },
  );
  const challenge = newChallenge();
  const { passkeys } = await store.secretsOf(user.id);
  const { token, expires } = await openContinuation(deps, { ...common, purpose: "sign-in", challenge });
  return new Refusal("second.factor.required", {
    continuation: token,
    expires: instantText(expires),
    methods,
    passkey: party && methods.includes("passkey") ? passkeyRequestOptions(party, challenge, passkeys) : null,
  } satisfies SecondFactorDemand);
}
