import { type RoleName, rankOf, roleName } from "@packhouse/contract/roles";
import { type JWTPayload, jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import type { SessionSecrets } from "./session-secrets.ts";

const issuer = "packhouse";
const audience = "packhouse";
/** Continuations are signed with the same key, so another audience keeps them from being taken for sessions. */
const continuationAudience = "packhouse-sign-in";
const continuationMinutes = 10;

export interface SessionSubject {
  id: number;
  login: string;
  name: string;
  email: string;
  role: RoleName;
  sessionEpoch: number;
  /** Key of the row that the token names. */
  sessionKey: string;
}

/** What a user with the correct password still has to do before being signed in. */
const continuationStep = z.enum(["new-password"]);
type ContinuationStep = z.infer<typeof continuationStep>;

/** The oldest are verified again. */
const mostRemembered = 1000;

const algorithm = { name: "HMAC", hash: "SHA-512" };
const importKey = (secret: string) =>
  crypto.subtle.importKey("raw", new TextEncoder().encode(secret), algorithm, false, ["sign", "verify"]);

const sessionClaims = z.object({ uid: z.int(), epoch: z.int(), sid: z.uuid() });
const continuationClaims = z.object({ uid: z.int(), epoch: z.int(), step: continuationStep });

/**
 * Tokens of users who signed in by password: HS512, each naming a row of `sessions`, with a counter that invalidates
 * all tokens of a user together.
 */
export interface SessionTokens {
  issue(subject: SessionSubject): Promise<string>;
  /** What a session token names, or undefined if it is invalid. */
  verify(token: string): Promise<{ userId: number; sessionEpoch: number; sessionKey: string } | undefined>;
  /** A short-lived token that continues a sign-in with its next step. It is invalid once the counter is raised. */
  issueContinuation(step: ContinuationStep, subject: { id: number; sessionEpoch: number }): Promise<string>;
  verifyContinuation(
    step: ContinuationStep,
    token: string,
  ): Promise<{ userId: number; sessionEpoch: number } | undefined>;
}

export function sessionTokens(secrets: SessionSecrets, lifetimeMinutes: number, clock: Clock): SessionTokens {
  const seconds = () => Math.floor(clock().getTime() / 1000);
  /** To import one takes nearly as long as to verify a token. There is a new one when an operator replaces it. */
  const keys = new Map<string, ReturnType<typeof importKey>>();
  const keyOf = (secret: string) => {
    const key = keys.get(secret) ?? importKey(secret);
    keys.set(secret, key);
    return key;
  };
  /** What tokens were verified by, since a client sends the same one with each request. */
  const verified = new Map<string, { secret: string; audience: string; payload: JWTPayload }>();
  const remember = (token: string, by: { secret: string; audience: string; payload: JWTPayload }) => {
    const [oldest] = verified.keys();
    if (oldest !== undefined && verified.size >= mostRemembered) verified.delete(oldest);
    verified.set(token, by);
  };
  const claimsOf = async (token: string, expectedAudience: string) => {
    const accepted = await secrets.accepted();
    const known = verified.get(token);
    if (known?.audience === expectedAudience && accepted.includes(known.secret)) {
      const { exp = 0 } = known.payload;
      return exp > seconds() ? known.payload : undefined;
    }
    for (const secret of accepted) {
      try {
        const { payload } = await jwtVerify(token, await keyOf(secret), {
          algorithms: ["HS512"],
          issuer,
          audience: expectedAudience,
          currentDate: clock(),
          requiredClaims: ["exp"],
        });
        remember(token, { secret, audience: expectedAudience, payload });
        return payload;
      } catch {
        // An invalid token is no defect: the caller is simply not signed in.
      }
    }
    return undefined;
  };
  return {
    async issue(subject) {
      const now = seconds();
      return new SignJWT({
        uid: subject.id,
        epoch: subject.sessionEpoch,
        sid: subject.sessionKey,
        roles: roleName.options.slice(0, rankOf(subject.role) + 1),
        name: subject.name,
        email: subject.email,
      })
        .setProtectedHeader({ alg: "HS512", typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(subject.login)
        .setIssuedAt(now)
        .setExpirationTime(now + lifetimeMinutes * 60)
        .sign(await keyOf(await secrets.current()));
    },
    async verify(token) {
      const claims = sessionClaims.safeParse(await claimsOf(token, audience)).data;
      return claims && { userId: claims.uid, sessionEpoch: claims.epoch, sessionKey: claims.sid };
    },
    async issueContinuation(step, { id, sessionEpoch }) {
      const now = seconds();
      return new SignJWT({ uid: id, epoch: sessionEpoch, step })
        .setProtectedHeader({ alg: "HS512", typ: "JWT" })
        .setIssuer(issuer)
        .setAudience(continuationAudience)
        .setIssuedAt(now)
        .setExpirationTime(now + continuationMinutes * 60)
        .sign(await keyOf(await secrets.current()));
    },
    async verifyContinuation(step, token) {
      const claims = continuationClaims.safeParse(await claimsOf(token, continuationAudience)).data;
      return claims?.step === step ? { userId: claims.uid, sessionEpoch: claims.epoch } : undefined;
    },
  };
}
