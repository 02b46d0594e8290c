import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from "node:crypto";
import type { PasskeyAssertion, PasskeyAttestation } from "@packhouse/contract/second-factors";

/** Changes to an answer, as an attacker would make them. */
export interface Forgery {
  origin?: string;
  rpId?: string;
  /** The signature count instead of the next one. */
  count?: number;
  type?: string;
  /** Flags of the authenticator data: 1 is "user present". */
  flags?: number;
  /** Format of the attestation statement, and whether it has a certificate. */
  format?: string;
  certificate?: true;
}

/** An authenticator with one passkey, as a browser and its security key would answer. */
export function softwarePasskey(origin: string, rpId = new URL(origin).hostname) {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const id = randomBytes(32);
  let count = 0;

  const dataOf = (forgery: Forgery, flags: number) => {
    count = forgery.count ?? count + 1;
    const counted = Buffer.alloc(4);
    counted.writeUInt32BE(count);
    return Buffer.concat([sha256(forgery.rpId ?? rpId), Buffer.from([forgery.flags ?? flags]), counted]);
  };
  const clientData = (type: string, challenge: string, forgery: Forgery) =>
    Buffer.from(JSON.stringify({ type: forgery.type ?? type, challenge, origin: forgery.origin ?? origin }));

  return {
    id: id.toString("base64url"),
    create(challenge: string, forgery: Forgery = {}): PasskeyAttestation {
      const credential = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey(publicKey)]);
      // User present, attested credential data included.
      const authData = Buffer.concat([dataOf(forgery, 0x41), credential]);
      return {
        id: id.toString("base64url"),
        rawId: id.toString("base64url"),
        type: "public-key",
        response: {
          clientDataJSON: clientData("webauthn.create", challenge, forgery).toString("base64url"),
          attestationObject: cborMap([
            [cborText("fmt"), cborText(forgery.format ?? "none")],
            [cborText("attStmt"), cborMap(forgery.certificate ? [[cborText("x5c"), cborBytes(randomBytes(9))]] : [])],
            [cborText("authData"), cborBytes(authData)],
          ]).toString("base64url"),
          transports: ["usb"],
        },
      };
    },
    sign(challenge: string, forgery: Forgery = {}): PasskeyAssertion {
      const authData = dataOf(forgery, 0x01);
      const client = clientData("webauthn.get", challenge, forgery);
      return {
        id: id.toString("base64url"),
        rawId: id.toString("base64url"),
        type: "public-key",
        response: {
          clientDataJSON: client.toString("base64url"),
          authenticatorData: authData.toString("base64url"),
          signature: sign("sha256", Buffer.concat([authData, sha256(client)]), privateKey).toString("base64url"),
        },
      };
    },
  };
}

const sha256 = (bytes: string | Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** RFC 8949: the few forms that WebAuthn needs. */
const cborHead = (major: number, length: number): Buffer =>
  length < 24
    ? Buffer.from([(major << 5) | length])
    : length < 256
      ? Buffer.from([(major << 5) | 24, length])
      : Buffer.from([(major << 5) | 25, length >> 8, length & 255]);
const cborInteger = (value: number): Buffer => (value < 0 ? cborHead(1, -1 - value) : cborHead(0, value));
const cborBytes = (bytes: Buffer): Buffer => Buffer.concat([cborHead(2, bytes.length), bytes]);
const cborText = (text: string): Buffer => Buffer.concat([cborHead(3, text.length), Buffer.from(text)]);
const cborMap = (entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([cborHead(5, entries.length), ...entries.flat()]);

/** RFC 9053, section 7.1.1: an ES256 key. */
function coseKey(key: KeyObject): Buffer {
  const { x = "", y = "" } = key.export({ format: "jwk" });
  return cborMap([
    [cborInteger(1), cborInteger(2)],
    [cborInteger(3), cborInteger(-7)],
    [cborInteger(-1), cborInteger(1)],
    [cborInteger(-2), cborBytes(Buffer.from(x, "base64url"))],
    [cborInteger(-3), cborBytes(Buffer.from(y, "base64url"))],
  ]);
}
