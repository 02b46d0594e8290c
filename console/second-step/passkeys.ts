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

/** The browser's own dialog was canceled or failed. */
export class NoPasskey extends Error {
  /** The device already has one for this account. */
  readonly alreadyAdded: boolean;
  constructor(cause: unknown) {
    super("the browser gave no passkey", { cause });
    this.alreadyAdded = cause instanceof WebAuthnError && cause.code === "ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED";
  }
}

/** Creates a passkey, in the browser's own dialog. */
export async function createPasskey(options: PasskeyCreation): Promise<PasskeyAttestation> {
  try {
    return passkeyAttestation.parse(await startRegistration({ optionsJSON: options }));
  } catch (error) {
    throw new NoPasskey(error);
  }
}

/** Signs in with a passkey, in the browser's own dialog. */
export async function signWithPasskey(options: PasskeyRequest): Promise<PasskeyAssertion> {
  try {
    return passkeyAssertion.parse(await startAuthentication({ optionsJSON: options }));
  } catch (error) {
    throw new NoPasskey(error);
  }
}
