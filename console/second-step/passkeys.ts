import {
  type PasskeyAssertion,
  type PasskeyAttestation,
  type PasskeyCreation,
  type PasskeyRequest,
  passkeyAssertion,
  passkeyAttestation,
} from "@packhouse/contract/second-factors";
import {
  browserSupportsWebAuthn,
  startAuthentication,
  startRegistration,
  WebAuthnError,
} from "@simplewebauthn/browser";

export const passkeysWork = browserSupportsWebAuthn;

/** The browser showed its own dialog, and nothing came of it. */
export class NoPasskey extends Error {
  /** The device has one for this account already. */
  readonly alreadyAdded: boolean;
  constructor(cause: unknown) {
    super("the browser gave no passkey", { cause });
    this.alreadyAdded = cause instanceof WebAuthnError && cause.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
  }
}

/** Makes a passkey, in the browser's own dialog. */
export async function createPasskey(options: PasskeyCreation): Promise<PasskeyAttestation> {
  try {
    return passkeyAttestation.parse(await startRegistration({ optionsJSON: options }));
  } catch (error) {
    throw new NoPasskey(error);
  }
}

/** Signs in by a passkey, in the browser's own dialog. */
export async function signWithPasskey(options: PasskeyRequest): Promise<PasskeyAssertion> {
  try {
    return passkeyAssertion.parse(await startAuthentication({ optionsJSON: options }));
  } catch (error) {
    throw new NoPasskey(error);
  }
}
