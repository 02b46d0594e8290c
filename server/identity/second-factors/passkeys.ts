import { createHash, randomBytes } from "node:crypto";
import type {
  PasskeyAssertion,
  PasskeyAttestation,
  PasskeyCreation,
  PasskeyRequest,
} from "@packhouse/contract/second-factors";
import { verifyAuthenticationResponse, verifyRegistrationResponse } from "@simplewebauthn/server";
import { COSEALG, decodeAttestationObject } from "@simplewebauthn/server/helpers";

const timeoutMs = 120_000;
const algorithms = [COSEALG.EdDSA, COSEALG.ES256, COSEALG.RS256];

/** What passkeys are bound to: a host name, and the one origin whose pages may use them. */
export interface RelyingParty {
  id: string;
  origin: string;
}

/**
 * Derived from the address under which users reach the server. Undefined where browsers refuse passkeys: an IP address
 * is no relying party, and only `localhost` works without HTTPS.
 */
export function relyingPartyOf(publicAddress: string): RelyingParty | undefined {
  const { protocol, hostname, origin } = new URL(publicAddress);
  const isIpAddress = /^[\d.]+$/.test(hostname) || hostname.startsWith("[");
  const isLocalhost = hostname === "localhost" || hostname.endsWith(".localhost");
  if (isIpAddress || (protocol !== "https:" && !isLocalhost)) return undefined;
  return { id: hostname, origin };
}

export const newChallenge = (): string => randomBytes(32).toString("base64url");

/** A passkey as it is stored. */
export interface Passkey {
  credentialId: string;
  publicKey: Uint8Array;
  signatureCount: number;
  transports: string[];
}

type KnownCredential = Pick<Passkey, "credentialId" | "transports">;

const described = (known: readonly KnownCredential[]) =>
  known.map(({ credentialId, transports }) => ({ id: credentialId, type: "public-key" as const, transports }));

export const passkeyRequestOptions = (
  { id }: RelyingParty,
  challenge: string,
  known: readonly KnownCredential[],
): PasskeyRequest => ({
  challenge,
  rpId: id,
  timeout: timeoutMs,
  // The password was the first factor; having the passkey is the second.
  userVerification: "preferred",
  allowCredentials: described(known),
});

export const passkeyCreationOptions = (
  { id }: RelyingParty,
  challenge: string,
  {
    title,
    user,
    known,
  }: { title: string; user: { id: number; login: string; name: string }; known: readonly KnownCredential[] },
): PasskeyCreation => ({
  challenge,
  rp: { id, name: title },
  user: { id: userHandle(user.id), name: user.login, displayName: user.name },
  pubKeyCredParams: algorithms.map((alg) => ({ type: "public-key", alg })),
  timeout: timeoutMs,
  attestation: "none",
  authenticatorSelection: { residentKey: "preferred", requireResidentKey: false, userVerification: "preferred" },
  excludeCredentials: described(known),
});

/** WebAuthn, section 14.6.1: authenticators store it, so it must not identify anyone. */
const userHandle = (userId: number): string =>
  createHash("sha256").update(`packhouse user ${userId}`).digest("base64url");

/** The passkey that a browser created for this challenge, or undefined if it is invalid. */
export async function createdPasskey(
  party: RelyingParty,
  challenge: string,
  attestation: PasskeyAttestation,
): Promise<Passkey | undefined> {
  try {
    if (!attestsNothing(attestation)) return undefined;
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: {
        ...attestation,
        response: {
          clientDataJSON: attestation.response.clientDataJSON,
          attestationObject: attestation.response.attestationObject,
        },
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      requireUserVerification: false,
      supportedAlgorithmIDs: algorithms,
    });
    if (!verified) return undefined;
    const { id, publicKey, counter } = registrationInfo.credential;
    return {
      credentialId: id,
      publicKey,
      signatureCount: counter,
      transports: (attestation.response.transports ?? []).filter((transport) => /^[a-z-]+$/.test(transport)),
    };
  } catch {
    // The library throws for every check that fails: the passkey is simply not accepted.
    return undefined;
  }
}

/**
 * No attestation is requested, and browsers send none. Verifying one could mean fetching revocation lists from
 * addresses chosen by the caller.
 */
export function attestsNothing({ response }: PasskeyAttestation): boolean {
  const decoded = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, "base64url")));
  const format = decoded.get("fmt");
  return format === "none" || (format === "packed" && decoded.get("attStmt").get("x5c") === undefined);
}

/** The new signature count of a passkey that signed this challenge, or undefined if the signature is invalid. */
export async function usedPasskey(
  party: RelyingParty,
  challenge: string,
  passkey: Passkey,
  assertion: PasskeyAssertion,
): Promise<number | undefined> {
  try {
    const { userHandle: handle, ...response } = assertion.response;
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response: {
        ...assertion,
        response: handle ? { ...response, userHandle: handle } : response,
        clientExtensionResults: {},
      },
      expectedChallenge: challenge,
      expectedOrigin: party.origin,
      expectedRPID: party.id,
      credential: {
        id: passkey.credentialId,
        publicKey: new Uint8Array(passkey.publicKey),
        counter: passkey.signatureCount,
      },
      requireUserVerification: false,
    });
    return verified ? authenticationInfo.newCounter : undefined;
  } catch {
    return undefined;
  }
}
