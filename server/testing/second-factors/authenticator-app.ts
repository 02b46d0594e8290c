import { Secret, TOTP } from "otpauth";

/** The code that an authenticator app shows for a secret, as base32. */
export const codeOfApp = (secret: string, at: Date): string =>
  TOTP.generate({ secret: Secret.fromBase32(secret), timestamp: at.getTime() });
