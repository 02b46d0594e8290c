import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { exportJWK, generateKeyPair, type JWK, type JWTPayload, SignJWT } from "jose";
import Provider, { type Configuration } from "oidc-provider";

/** A certified-grade provider on this machine, whose people have the claims of well-known products. */
export interface IdentityProvider extends AsyncDisposable {
  issuer: string;
  /** The public part of the key that signs tokens. */
  publicKey: JWK;
  /** A token with the provider's own signature, whatever it says. */
  sign(claims: JWTPayload): Promise<string>;
}

const audience = "urn:packhouse:api";
/** Who can sign in; the provider's page takes any password. */
const people: Record<string, Record<string, unknown>> = {
  // Keycloak: roles lie inside of a claim.
  amara: {
    preferred_username: "amara.lindqvist",
    name: "Amara Lindqvist",
    email: "amara@example.org",
    email_verified: true,
    realm_access: { roles: ["approvers", "offline_access"] },
  },
  // Entra ID: the login is an address, with `oid` and `tid`, without a verified email.
  ben: { preferred_username: "ben@example.onmicrosoft.com", name: "Ben Okafor", oid: "7f1c", tid: "0a2b", ver: "2.0" },
  // Okta: groups as names, the login in `preferred_username`.
  chloe: {
    preferred_username: "chloe@example.org",
    name: "Chloe Marsh",
    groups: ["Everyone"],
    zoneinfo: "Europe/Paris",
  },
};

export interface ProviderOptions {
  port: number;
  /** Where the console is, with a slash at its end. */
  console: string;
  /** How long tokens live. */
  seconds: number;
}

export const providerSettings = (issuer: string): Record<string, string> => ({
  PACKHOUSE_AUTH_OIDC_ENABLED: "true",
  PACKHOUSE_AUTH_OIDC_ISSUER: issuer,
  PACKHOUSE_AUTH_OIDC_CLIENT_ID: "packhouse",
  PACKHOUSE_AUTH_OIDC_AUDIENCE: audience,
  PACKHOUSE_AUTH_OIDC_GROUPS_CLAIM: "realm_access.roles",
  PACKHOUSE_AUTH_OIDC_GROUP_ROLES: "approvers=repositorymaintainer",
});

export async function startIdentityProvider({ port, console, seconds }: ProviderOptions): Promise<IdentityProvider> {
  const issuer = `http://localhost:${port}`;
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const kid = randomUUID();
  const named = { kid, alg: "RS256", use: "sig" };
  const configuration: Configuration = {
    clients: [
      {
        client_id: "packhouse",
        token_endpoint_auth_method: "none",
        grant_types: ["authorization_code"],
        response_types: ["code"],
        redirect_uris: [`${console}auth`, `${console}auth/silent`],
        post_logout_redirect_uris: [`${console}logout`],
      },
    ],
    jwks: { keys: [{ ...(await exportJWK(privateKey)), ...named }] },
    clientBasedCORS: () => true,
    claims: { openid: ["sub"], profile: ["name", "preferred_username"], email: ["email", "email_verified"] },
    findAccount: (_context, id) => ({ accountId: id, claims: async () => ({ sub: id, ...people[id] }) }),
    extraTokenClaims: (_context, token) =>
      "accountId" in token && typeof token.accountId === "string" ? people[token.accountId] : undefined,
    features: {
      revocation: { enabled: true },
      resourceIndicators: {
        enabled: true,
        defaultResource: () => audience,
        useGrantedResource: () => true,
        getResourceServerInfo: () => ({
          scope: "openid profile email",
          audience,
          accessTokenTTL: seconds,
          accessTokenFormat: "jwt",
        }),
      },
    },
    ttl: { IdToken: seconds, AccessToken: seconds, Session: 3600, Grant: 3600, Interaction: 600 },
    cookies: { keys: ["a key of the tests"] },
  };
  const provider = new Provider(issuer, configuration);
  const server = await new Promise<Server>((started) => {
    const listening: Server = provider.listen(port, () => started(listening));
  });
  return {
    issuer,
    publicKey: { ...(await exportJWK(publicKey)), ...named },
    sign: (claims) => new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid, typ: "at+jwt" }).sign(privateKey),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
