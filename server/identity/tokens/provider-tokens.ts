import { createLocalJWKSet, errors, type JWTVerifyGetKey, jwtVerify } from "jose";
import type { Logger } from "pino";
import { z } from "zod";
import type { Clock } from "../../platform/clock.ts";
import { cleanLogin } from "../../platform/names/clean-login.ts";
import type { Settings } from "../../platform/settings/settings.ts";

/** Signatures that a provider may use. Neither `none` nor a shared secret, with which any verifier could also sign. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];
/** Tolerated clock skew between provider and server. */
const skewSeconds = 5 * 60;
const timeoutMs = 5000;
/** The provider is asked at most this often; sooner while nothing is known, because it may still be starting. */
const refreshPauseMs = 60_000;
const firstPauseMs = 5_000;
const keysMaxAgeMs = 10 * 60_000;
/** How long the last known keys stay valid while the provider does not answer. */
const graceMs = 60 * 60_000;

/** A user according to the provider, by the claims that the settings name. */
export interface ProviderIdentity {
  issuer: string;
  subject: string;
  login: string;
  /** Undefined where the token does not carry it. */
  name: string | undefined;
  email: string | undefined;
  emailVerified: boolean;
  /** Undefined where no claim of groups is configured or the token has none. */
  groups: readonly string[] | undefined;
  /** The provider sign-in that issued the token; the same for all tokens of one sign-in. */
  signIn: SignInMark;
}
export type SignInMark = { kind: "time"; at: number } | { kind: "session"; id: string };

/** Verifies bearer tokens of the configured provider (OpenID Connect Discovery 1.0, RFC 7519, RFC 8725). */
export interface ProviderTokens {
  issuer: string;
  /** The identity behind a token, or undefined if it is invalid. */
  verify(token: string): Promise<ProviderIdentity | undefined>;
}

const discovered = z.object({ issuer: z.string(), jwks_uri: z.url({ protocol: /^https?$/ }) });
const keySet = z.object({ keys: z.array(z.looseObject({ kty: z.string() })) });
/** Names end up in a database and on screens: no control characters, limited length (OpenID Connect Core 2: `sub`). */
const text = z.string().regex(/^\P{Cc}{1,255}$/u);

/** Invalid group names are ignored without affecting the others. */
const groupName = z.string().regex(/^\P{Cc}+$/u);
const groupNames = z.array(z.unknown()).transform((all) => all.flatMap((one) => groupName.safeParse(one).data ?? []));

const loginText = text.transform(cleanLogin).pipe(text);

/** Undefined unless provider sign-in is enabled. */
export function providerTokens(settings: Settings, clock: Clock, log: Logger): ProviderTokens | undefined {
  const issuer = settings["auth.oidc.issuer"];
  const audience = settings["auth.oidc.audience"] ?? settings["auth.oidc.clientId"];
  if (!settings["auth.oidc.enabled"] || issuer === undefined || audience === undefined) return undefined;
  const keys = keysOf(issuer, clock, log);
  return {
    issuer,
    async verify(token) {
      try {
        const { payload, protectedHeader } = await jwtVerify(token, keys, {
          algorithms,
          issuer,
          audience,
          clockTolerance: skewSeconds,
          currentDate: clock(),
          requiredClaims: ["exp", "iat", "sub"],
        });
        const latest = clock().getTime() / 1000 + skewSeconds;
        if (!isForSigningIn(protectedHeader.typ, payload) || !isIssuedBy(payload, latest)) return undefined;
        return identityOf(payload, settings, issuer);
      } catch {
        return undefined; // an invalid token is no defect; failures to fetch the keys are logged there
      }
    },
  };
}

/** Providers sign other things with the same keys, such as logout tokens (OpenID Connect Back-Channel Logout 1.0). */
function isForSigningIn(type: string | undefined, payload: Record<string, unknown>): boolean {
  const known = type?.toLowerCase().replace(/^application\//, "");
  return (known === undefined || known === "jwt" || known === "at+jwt") && payload.events === undefined;
}

/** Neither the token nor its sign-in may be in the future; a future sign-in time would hide later ones. */
const isIssuedBy = ({ iat, auth_time: authTime }: Record<string, unknown>, latest: number): boolean =>
  typeof iat === "number" && iat <= latest && (typeof authTime !== "number" || authTime <= latest);

function identityOf(
  payload: Record<string, unknown>,
  settings: Settings,
  issuer: string,
): ProviderIdentity | undefined {
  const subject = text.safeParse(payload.sub).data;
  const login = loginText.safeParse(payload[settings["auth.oidc.loginClaim"]]).data;
  if (subject === undefined || login === undefined) return undefined;
  if (!settings["auth.oidc.requiredClaims"].every(({ claim, value }) => says(claimAt(payload, claim), value)))
    return undefined;
  const groupsClaim = settings["auth.oidc.groupsClaim"];
  return {
    issuer,
    subject,
    login,
    name: text.safeParse(payload[settings["auth.oidc.nameClaim"]]).data,
    email: text.safeParse(payload[settings["auth.oidc.emailClaim"]]).data,
    emailVerified: payload.email_verified === true,
    groups: groupsClaim === undefined ? undefined : groupNames.safeParse(claimAt(payload, groupsClaim)).data,
    signIn: signInOf(payload),
  };
}

/** Whether a claim is this value or has it among others; numbers and flags count as their text. */
const says = (claim: unknown, value: string): boolean =>
  Array.isArray(claim) ? claim.some((one) => String(one) === value) : claim !== undefined && String(claim) === value;

/** A claim by its name, or nested in others by a path such as `realm_access.roles`. */
function claimAt(payload: Record<string, unknown>, path: string): unknown {
  if (path in payload) return payload[path];
  return path
    .split(".")
    .reduce<unknown>((inner, part) => z.record(z.string(), z.unknown()).safeParse(inner).data?.[part], payload);
}

function signInOf({ auth_time: authTime, sid, iat }: Record<string, unknown>): SignInMark {
  if (typeof authTime === "number") return { kind: "time", at: authTime };
  if (typeof sid === "string") return { kind: "session", id: sid };
  return { kind: "time", at: Number(iat) };
}

/**
 * The provider's public keys, by discovery. They are refreshed in the background when they are old, and when a token
 * names an unknown one; while the provider does not answer, the last known ones stay valid for an hour.
 */
function keysOf(issuer: string, clock: Clock, log: Logger): JWTVerifyGetKey {
  let known: { keyOf: JWTVerifyGetKey; at: number } | undefined;
  let latest: { at: number; loading: Promise<void> } | undefined;
  const now = () => clock().getTime();
  const age = () => (known ? now() - known.at : Number.POSITIVE_INFINITY);
  /** One at a time and not too often, however many tokens need it. */
  const refresh = (): Promise<void> => {
    const pause = known ? refreshPauseMs : firstPauseMs;
    if (latest && now() - latest.at < pause) return latest.loading;
    const at = now();
    const loading = fetchKeys(issuer).then((keyOf) => {
      known = { keyOf, at };
    });
    // Logged once per attempt, however many requests wait for it.
    loading.catch((error) => log.warn({ err: error }, "the keys of the identity provider cannot be fetched"));
    latest = { at, loading };
    return loading;
  };
  return async (header, token) => {
    if (!known || age() > graceMs) await refresh();
    else if (age() > keysMaxAgeMs) refresh().catch(() => {}); // in the background; the last keys stay valid
    if (!known || age() > graceMs) throw new Error("its keys are not known");
    const used = known;
    try {
      return await used.keyOf(header, token);
    } catch (error) {
      if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
      await refresh();
      if (known === used) throw error;
      return known.keyOf(header, token);
    }
  };
}

async function fetchKeys(issuer: string): Promise<JWTVerifyGetKey> {
  const discovery = await fetchJson(`${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`);
  const { issuer: named, jwks_uri: address } = discovered.parse(discovery);
  if (named !== issuer) throw new Error(`its discovery document names another issuer, ${named}`);
  return createLocalJWKSet(keySet.parse(await fetchJson(address)));
}

async function fetchJson(address: string): Promise<unknown> {
  const answer = await fetch(address, { redirect: "error", signal: AbortSignal.timeout(timeoutMs) });
  if (!answer.ok) throw new Error(`${address} responded with ${answer.status}`);
  return answer.json();
}
