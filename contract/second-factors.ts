import { z } from "zod";
import type { Received } from "./answer.ts";
import { longestPassword } from "./limits.ts";
import { links } from "./links.ts";

/** What users can add to their account. Recovery codes are created along with the first one. */
export const secondFactorKind = z.enum(["totp", "passkey"]);
export type SecondFactorKind = z.infer<typeof secondFactorKind>;

/** What the second step of a sign-in accepts. */
export const secondStepMethod = z.enum(["totp", "passkey", "recoveryCode"]);
export type SecondStepMethod = z.infer<typeof secondStepMethod>;

export const longestFactorName = 100;

const base64url = (longest: number) =>
  z
    .string()
    .min(1)
    .max(longest)
    .regex(/^[\w-]+$/);
/** WebAuthn, section 5.8.1: a credential id has at most 1,023 bytes. */
const credentialId = base64url(1400);
const clientData = base64url(8000);

const userVerification = z.enum(["required", "preferred", "discouraged"]);
/** `PublicKeyCredentialDescriptor` as JSON. */
const knownCredentials = z.array(
  z.object({ id: z.string(), type: z.literal("public-key"), transports: z.array(z.string()) }),
);

/** `PublicKeyCredentialRequestOptions` as JSON, reduced to what this server sends. */
export const passkeyRequest = z.object({
  challenge: z.string(),
  rpId: z.string(),
  timeout: z.int(),
  userVerification,
  allowCredentials: knownCredentials,
});
export type PasskeyRequest = z.infer<typeof passkeyRequest>;

/** `PublicKeyCredentialCreationOptions` as JSON, reduced to what this server sends. */
export const passkeyCreation = z.object({
  challenge: z.string(),
  rp: z.object({ id: z.string(), name: z.string() }),
  user: z.object({ id: z.string(), name: z.string(), displayName: z.string() }),
  pubKeyCredParams: z.array(z.object({ type: z.literal("public-key"), alg: z.int() })),
  timeout: z.int(),
  attestation: z.literal("none"),
  authenticatorSelection: z.object({
    residentKey: z.enum(["required", "preferred", "discouraged"]),
    requireResidentKey: z.boolean(),
    userVerification,
  }),
  excludeCredentials: knownCredentials,
});
export type PasskeyCreation = z.infer<typeof passkeyCreation>;

/** The result of `navigator.credentials.get`, as JSON. */
export const passkeyAssertion = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    authenticatorData: base64url(8000),
    signature: base64url(4000),
    userHandle: base64url(200).nullish(),
  }),
});
export type PasskeyAssertion = z.infer<typeof passkeyAssertion>;

/** The result of `navigator.credentials.create`, as JSON. */
export const passkeyAttestation = z.object({
  id: credentialId,
  rawId: credentialId,
  type: z.literal("public-key"),
  response: z.object({
    clientDataJSON: clientData,
    attestationObject: base64url(16_000),
    transports: z.array(z.string().min(1).max(32)).max(10).optional(),
  }),
});
export type PasskeyAttestation = z.infer<typeof passkeyAttestation>;

/** Identifies an unfinished sign-in or enrollment, and allows its holder to finish it and nothing else. */
const continuation = z.string().min(1).max(100);
/** Six digits. Apps show them with a space; anything else is a failed attempt. */
const totpCode = z.string().min(1).max(20);

/** `data` of `401 second.factor.required`: the password was right, now one of these methods is required. */
export const secondFactorDemand = z.object({
  continuation: z.string(),
  /** The deadline for finishing the sign-in. */
  expires: z.string(),
  methods: z.array(secondStepMethod),
  /** For `navigator.credentials.get`, if passkeys are among the methods. */
  passkey: passkeyRequest.nullable(),
});
export type SecondFactorDemand = z.infer<typeof secondFactorDemand>;

/** `data` of `401 second.factor.enrollment.required`: the user's role requires a second factor, but they have none. */
export const enrollmentDemand = z.object({
  continuation: z.string(),
  expires: z.string(),
  methods: z.array(secondFactorKind),
});
export type EnrollmentDemand = z.infer<typeof enrollmentDemand>;

/** `POST /login/second-factor`: exactly one of the three. */
export const secondStep = z.union([
  z.strictObject({ continuation, code: totpCode }),
  z.strictObject({ continuation, recoveryCode: z.string().min(1).max(100) }),
  z.strictObject({ continuation, assertion: passkeyAssertion }),
]);
export type SecondStep = z.infer<typeof secondStep>;

/** `POST /login/second-factor/enrollment`: which factor to add before the sign-in can be finished. */
export const enrollmentAtSignIn = z.strictObject({ continuation, method: secondFactorKind });

/** `POST /second-factors/enrollment`: the password again, so that a stolen session cannot add a factor. */
export const enrollment = z.strictObject({ method: secondFactorKind, password: z.string().max(longestPassword) });

/** A factor that is being added: what the authenticator app or the browser needs. */
export const startedEnrollment = z.object({
  continuation: z.string(),
  expires: z.string(),
  /** The secret in base32 and the `otpauth:` address of the QR code. Shown only once. */
  totp: z.object({ secret: z.string(), address: z.string() }).nullable(),
  passkey: passkeyCreation.nullable(),
});
export type StartedEnrollment = z.infer<typeof startedEnrollment>;

/** `POST /second-factors` and `POST /login/second-factor/enrollment/confirmation`: the first use of the new factor. */
const factorName = z.string().max(1000);
export const enrollmentConfirmation = z.union([
  z.strictObject({ continuation, name: factorName, code: totpCode }),
  z.strictObject({ continuation, name: factorName, attestation: passkeyAttestation }),
]);
export type EnrollmentConfirmation = z.infer<typeof enrollmentConfirmation>;

/** The response to a sign-in that ended with an enrollment. */
export const enrolledSession = z.object({ token: z.string(), recoveryCodes: z.array(z.string()) });

export const secondFactor = z.object({
  id: z.int(),
  kind: secondFactorKind,
  name: z.string(),
  createdOn: z.string(),
  /** Empty while it has never been used. */
  lastUsedOn: z.string(),
});
export const secondFactorItem = secondFactor.extend({ links });
export type SecondFactorItem = Received<typeof secondFactorItem>;

/** `GET /second-factors`: the caller's own. */
export const ownSecondFactors = z.object({
  links,
  factors: z.array(secondFactorItem),
  /** What can be added: nothing for users without a password on this server. */
  methods: z.array(secondFactorKind),
  /** Whether the caller's role requires one. */
  required: z.boolean(),
  /** How many recovery codes are left. */
  recoveryCodes: z.int(),
});
export type OwnSecondFactors = Received<typeof ownSecondFactors>;

/** Recovery codes are shown only when they are created; empty if the user already has some. */
export const addedSecondFactor = z.object({ factor: secondFactorItem, recoveryCodes: z.array(z.string()) });
export const newRecoveryCodes = z.object({ recoveryCodes: z.array(z.string()) });

/** Changing the protection of an account requires the password again. */
export const passwordAgain = z.strictObject({ password: z.string().max(longestPassword) });
