import { randomBytes } from "node:crypto";
import { Secret, TOTP } from "otpauth";

/** RFC 6238 as every authenticator app supports it: SHA-1, six digits, thirty seconds. */
const period = 30;
const digits = 6;
/** RFC 4226, section 4: 160 bits are recommended. */
const secretBytes = 20;
/** RFC 6238, section 5.2: one step for clocks that differ and for slow typing. */
const toleratedSteps = 1;

export const newTotpSecret = (): Buffer => randomBytes(secretBytes);

const secretOf = (bytes: Uint8Array) => new Secret({ buffer: new Uint8Array(bytes).buffer });

/** For typing into an app. */
export const secretText = (secret: Uint8Array): string => secretOf(secret).base32;

/** The address in the QR code, with the account and the name of this server. */
export const totpAddress = (secret: Uint8Array, issuer: string, login: string): string =>
  new TOTP({
    issuer: issuer.replaceAll(":", " "),
    label: login.replaceAll(":", " "),
    algorithm: "SHA1",
    digits,
    period,
    secret: secretOf(secret),
  }).toString();

/** The time step that a code belongs to, or undefined if it is not a current code. */
export function stepOfCode(secret: Uint8Array, code: string, now: Date): number | undefined {
  const token = code.replace(/\s/g, "");
  if (!/^\d{6}$/.test(token)) return undefined;
  const timestamp = now.getTime();
  const delta = TOTP.validate({
    token,
    secret: secretOf(secret),
    algorithm: "SHA1",
    digits,
    period,
    timestamp,
    window: toleratedSteps,
  });
  return delta === null ? undefined : TOTP.counter({ period, timestamp }) + delta;
}
