import { type RoleName, rankOf, roleName } from "@packhouse/contract/roles";
import { jwtVerify, SignJWT } from "jose";
import { z } from "zod";
import type { Clock } from "../clock.ts";
import type { SessionSecrets } from "./session-secrets.ts";

const issuer = "packhouse";
const audience = "packhouse";

export interface SessionSubject {
  id: number;
  login: string;
  name: string;
  email: string;
  role: RoleName;
  sessionEpoch: number;
}

const keyOf = (secret: string) => new TextEncoder().encode(secret);

const claims = z.object({ uid: z.int(), epoch: z.int() });

/** Tokens of people who signed in by password: HS512, with a lifetime and a counter that voids them all at once. */
export interface SessionTokens {
  issue(subject: SessionSubject): Promise<string>;
  /** The person's id and counter, or undefined for whatever is wrong with the token. */
  verify(token: string): Promise<{ userId: number; sessionEpoch: number } | undefined>;
}

export function sessionTokens(secrets: SessionSecrets, lifetimeMinutes: number, clock: Clock): SessionTokens {
  return {
    async issue(subject) {
      const now = Math.floor(clock().getTime() / 1000);
      return new SignJWT({
        uid: subject.id,
        epoch: subject.sessionEpoch,
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
        .sign(keyOf(await secrets.current()));
    },
    async verify(token) {
      for (const secret of await secrets.accepted()) {
        try {
          const { payload } = await jwtVerify(token, keyOf(secret), {
            algorithms: ["HS512"],
            issuer,
            audience,
            currentDate: clock(),
            requiredClaims: ["exp"],
          });
          const { uid, epoch } = claims.parse(payload);
          return { userId: uid, sessionEpoch: epoch };
        } catch {
          // A wrong token is no defect: the caller is simply not signed in.
        }
      }
      return undefined;
    },
  };
}
