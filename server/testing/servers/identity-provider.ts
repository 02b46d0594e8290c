import { createServer } from "node:http";
import { type CryptoKey, exportJWK, generateKeyPair, type JWTPayload, SignJWT } from "jose";

/** An identity provider as seen by a server: a discovery document, and keys that come and go. */
export interface TestProvider extends AsyncDisposable {
  issuer: string;
  /** How often the keys were requested. */
  readonly asked: number;
  /** Adds a key that signs from now on; earlier ones stay published unless revoked. */
  rotate(): Promise<void>;
  /** Removes all keys but the latest. */
  revoke(): void;
  /** Answers nothing but errors while true. */
  setDown(down: boolean): void;
  /** A token with these claims in addition to or instead of the usual ones; null omits one. */
  token(claims?: Record<string, unknown>, header?: { alg?: string; kid?: string; typ?: string }): Promise<string>;
  /** The latest public key as PEM-like text, for attacks that use it as a shared secret. */
  publicKey(): Promise<Uint8Array>;
}

interface SigningKey {
  kid: string;
  privateKey: CryptoKey;
  publicKey: CryptoKey;
}

const newPair = () => generateKeyPair("RS256", { extractable: true });
/** Each provider begins with it, since making one takes a while. */
let first: ReturnType<typeof newPair> | undefined;
const firstPair = () => (first ??= newPair());

export async function startProvider(now: () => Date, audience = "packhouse-console"): Promise<TestProvider> {
  let keys: SigningKey[] = [];
  let asked = 0;
  let down = false;
  const server = createServer(async (request, response) => {
    if (down) return response.writeHead(503).end();
    const send = (body: unknown) =>
      response.writeHead(200, { "content-type": "application/json" }).end(JSON.stringify(body));
    if (request.url === "/.well-known/openid-configuration") return send({ issuer, jwks_uri: `${issuer}/keys` });
    asked += 1;
    const published = await Promise.all(
      keys.map(async ({ kid, publicKey }) => ({ ...(await exportJWK(publicKey)), kid, use: "sig", alg: "RS256" })),
    );
    return send({ keys: published });
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  const issuer = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
  const latest = (): SigningKey => {
    const key = keys.at(-1);
    if (!key) throw new Error("the provider has no key");
    return key;
  };
  const rotate = async () => {
    const pair = keys.length === 0 ? await firstPair() : await newPair();
    keys = [...keys, { kid: `key-${keys.length + 1}-${crypto.randomUUID()}`, ...pair }];
  };
  await rotate();
  return {
    issuer,
    get asked() {
      return asked;
    },
    rotate,
    revoke: () => {
      keys = [latest()];
    },
    setDown: (now) => {
      down = now;
    },
    async token(claims = {}, { alg = "RS256", kid = latest().kid, typ } = {}) {
      const seconds = Math.floor(now().getTime() / 1000);
      const usual = { iss: issuer, aud: audience, sub: "subject-1", iat: seconds, exp: seconds + 600 };
      const payload = Object.fromEntries(
        Object.entries({ ...usual, preferred_username: "ines", auth_time: seconds, ...claims }).filter(
          ([, value]) => value !== null,
        ),
      ) as JWTPayload;
      return new SignJWT(payload)
        .setProtectedHeader({ alg, kid, ...(typ === undefined ? {} : { typ }) })
        .sign(latest().privateKey);
    },
    publicKey: async () => new TextEncoder().encode(JSON.stringify(await exportJWK(latest().publicKey))),
    [Symbol.asyncDispose]: () =>
      new Promise<void>((closed) => {
        server.close(() => closed());
        server.closeAllConnections();
      }),
  };
}
