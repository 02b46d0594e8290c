import { createServer } from "node:http";
import { exportJWK, generateKeyPair, SignJWT } from "jose";

/** An identity provider whose tokens say whatever an attacker wants. */
export interface AttackersProvider extends AsyncDisposable {
  issuer: string;
  token(claims: Record<string, unknown>, header?: Record<string, unknown>): Promise<string>;
}

export const audience = "packhouse-console";

export async function startAttackersProvider(): Promise<AttackersProvider> {
  const { privateKey, publicKey } = await generateKeyPair("RS256", { extractable: true });
  const named = { kid: "key", use: "sig", alg: "RS256" };
  const keys = [{ ...(await exportJWK(publicKey)), ...named }];
  const server = createServer((request, response) => {
    const discovery = { issuer, jwks_uri: `${issuer}/keys` };
    response.writeHead(200, { "content-type": "application/json" });
    response.end(JSON.stringify(request.url === "/.well-known/openid-configuration" ? discovery : { keys }));
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  return {
    issuer,
    token(claims, header = {}) {
      const seconds = Math.floor(Date.now() / 1000);
      const usual = { iss: issuer, aud: audience, iat: seconds, exp: seconds + 600, auth_time: seconds };
      return new SignJWT({ ...usual, ...claims })
        .setProtectedHeader({ alg: "RS256", kid: "key", ...header })
        .sign(privateKey);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((closed) => server.close(closed));
    },
  };
}
