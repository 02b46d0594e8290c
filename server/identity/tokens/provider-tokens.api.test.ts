import { apiPrefix } from "@packhouse/contract/operation";
import { base64url, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { startProvider, type TestProvider } from "../../testing/servers/identity-provider.ts";

const now = new Date("2026-11-21T12:00:00Z");
let provider: TestProvider;
let stranger: TestProvider;
let packhouse: TestPackhouse;

beforeAll(async () => {
  provider = await startProvider(() => now);
  stranger = await startProvider(() => now);
  packhouse = await startPackhouse({
    clock: () => now,
    settings: {
      "auth.oidc.enabled": true,
      "auth.oidc.issuer": provider.issuer,
      "auth.oidc.clientId": "packhouse-console",
    },
  });
});
afterAll(async () => {
  await packhouse.close();
  await provider[Symbol.asyncDispose]();
  await stranger[Symbol.asyncDispose]();
});

const ask = (token: string): Promise<Response> =>
  fetch(`${packhouse.address}${apiPrefix}/users/me`, { headers: { authorization: `Bearer ${token}` } });

const tampered = (token: string, part: number, change: object): string =>
  token
    .split(".")
    .map((text, index) =>
      index === part
        ? base64url.encode(
            JSON.stringify({
              ...(JSON.parse(new TextDecoder().decode(base64url.decode(text))) as object),
              ...change,
            }),
          )
        : text,
    )
    .join(".");
const unsigned = (token: string): string => `${tampered(token, 0, { alg: "none" }).replace(/[^.]+$/, "")}`;
const bySharedSecret = async () =>
  new SignJWT({ preferred_username: "admin" })
    .setProtectedHeader({ alg: "HS256" })
    .setIssuer(provider.issuer)
    .setAudience("packhouse-console")
    .setSubject("subject-1")
    .setIssuedAt(now)
    .setExpirationTime(new Date(now.getTime() + 60_000))
    .sign(await provider.publicKey());

describe("a token", () => {
  test.each<[string, () => Promise<string> | string]>([
    ["of another issuer", () => provider.token({ iss: "https://elsewhere.example" })],
    ["of no issuer", () => provider.token({ iss: null })],
    ["for another audience", () => provider.token({ aud: "another-client" })],
    ["for no audience", () => provider.token({ aud: null })],
    ["of nobody", () => provider.token({ sub: null })],
    ["without a login", () => provider.token({ preferred_username: null })],
    ["with a login that is no text", () => provider.token({ preferred_username: { name: "ines" } })],
    ["with a login of control characters", () => provider.token({ preferred_username: "in\u0000es" })],
    ["with a login without end", () => provider.token({ preferred_username: "x".repeat(256) })],
    ["that never ends", () => provider.token({ exp: null })],
    ["that ended six minutes ago", () => provider.token({ exp: now.getTime() / 1000 - 360 })],
    ["that begins in six minutes", () => provider.token({ nbf: now.getTime() / 1000 + 360 })],
    ["that is issued in a day", () => provider.token({ iat: now.getTime() / 1000 + 86_400 })],
    ["that is issued in six minutes", () => provider.token({ iat: now.getTime() / 1000 + 360 })],
    ["of a sign-in to come", () => provider.token({ auth_time: now.getTime() / 1000 + 86_400 })],
    ["for signing out", () => provider.token({}, { typ: "logout+jwt" })],
    ["for signing out, with the long name of its type", () => provider.token({}, { typ: "application/logout+jwt" })],
    [
      "for signing out, in the way of older providers",
      () => provider.token({ events: { "http://schemas.openid.net/event/backchannel-logout": {} } }),
    ],
    ["of another type", () => provider.token({}, { typ: "secevent+jwt" })],
    ["with a login of blanks", () => provider.token({ preferred_username: " \u3000" })],
    ["signed by a key that is not the provider's", async () => stranger.token({ iss: provider.issuer })],
    ["with another's name for its key", async () => tampered(await provider.token(), 0, { alg: "RS256", kid: "?" })],
    ["whose claims were changed", async () => tampered(await provider.token(), 1, { preferred_username: "admin" })],
    ["whose signature was cut off", async () => (await provider.token()).replace(/[^.]+$/, "")],
    ["that says it needs no signature", async () => unsigned(await provider.token())],
    ["signed with the public key as a secret", () => bySharedSecret()],
    ["that is no token", () => "a.b.c"],
  ])("%s is refused", async (_what, make) => {
    expect((await ask(await provider.token())).status).toBe(200);
    const answer = await ask(await make());
    expect(answer.status).toBe(401);
    expect(await answer.json()).toMatchObject({ status: "ERROR", messageCode: "error.user.not.authenticated" });
  });

  test.for(["JWT", "jwt", "at+jwt", "application/at+jwt"])("of type %s is accepted", async (typ) => {
    expect((await ask(await provider.token({}, { typ }))).status).toBe(200);
  });

  test("without a type is accepted", async () => {
    expect((await ask(await provider.token({}, {}))).status).toBe(200);
  });
});
