import { roleOfRank } from "@packhouse/contract/roles";
import { decodeJwt } from "jose";
import { type Actor, type Authenticate, packageKey } from "../../http/actor.ts";
import { Refusal } from "../../platform/errors/refusal.ts";
import { nameKey } from "../../platform/names/confusables.ts";
import type { IdentityDeps } from "../deps.ts";
import { personOfProvider } from "../provider/provider-people.ts";
import { closedTo } from "../read-rights.ts";
import { recordUse, sessionLimits } from "../sessions/current-session.ts";
import { hashOfToken, looksLikeToken } from "../tokens/access-token-value.ts";
import type { ProviderTokens } from "../tokens/provider-tokens.ts";
import { callers } from "./caller-store.ts";

type PersonDeps = Pick<IdentityDeps, "db" | "clock" | "settings">;
type SignInDeps = PersonDeps &
  Pick<IdentityDeps, "log" | "sessions" | "provider" | "watch" | "tokenAddresses" | "changeRole">;
type SignInRequest = Parameters<Authenticate>[0];

/** The user behind a request, or undefined without valid credentials. */
export async function authenticate(deps: SignInDeps, request: SignInRequest): Promise<Actor | undefined> {
  const person = await personBehind(deps, request);
  if (!person && request.header !== undefined) deps.watch.signInFailed("token");
  return person;
}

async function personBehind(deps: SignInDeps, request: SignInRequest): Promise<Actor | undefined> {
  const { header, address } = request;
  if (header?.startsWith("Bearer ")) {
    const token = header.slice("Bearer ".length).trim();
    if (looksLikeToken(token)) return byAccessToken(deps, token, address);
    return deps.provider && issuerOf(token) === deps.provider.issuer
      ? byProvider(deps, deps.provider, token, address)
      : bySession(deps, request, token);
  }
  if (header?.startsWith("Basic ")) {
    const [login, value] = basicCredentials(header.slice("Basic ".length));
    return value === undefined
      ? undefined
      : byAccessToken(deps, value, address, login === "__token__" ? undefined : login);
  }
  return undefined;
}

/** The claimed issuer of a token. Unverified: it only decides who verifies the token. */
function issuerOf(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

async function byProvider(
  deps: SignInDeps,
  provider: ProviderTokens,
  token: string,
  address: string,
): Promise<Actor | undefined> {
  const identity = await provider.verify(token);
  const id = identity && (await personOfProvider(deps, identity, address));
  const person = id === undefined ? undefined : await callers(deps).byId(id);
  return person && actorOf(deps, person, false);
}

/** The token names a session; the session's row shows whether it is still valid. */
async function bySession(deps: SignInDeps, request: SignInRequest, token: string): Promise<Actor | undefined> {
  if (!deps.settings["auth.simple"]) return undefined;
  const verified = await deps.sessions.verify(token);
  if (!verified) return undefined;
  const found = await callers(deps).bySession(verified, sessionLimits(deps));
  if (!found || found.session_epoch !== verified.sessionEpoch) return undefined;
  const session = { id: found.session_id, lastUsedOn: found.last_used_on, address: found.address };
  await recordUse(deps, session, request.address);
  return { ...actorOf(deps, found, false), sessionId: found.session_id };
}

/** One statement: the token by its unique hash, and its owner, whose login must match the given one, if any. */
async function byAccessToken(
  deps: SignInDeps,
  value: string,
  address: string,
  login?: string,
): Promise<Actor | undefined> {
  const now = deps.clock();
  const found = await callers(deps).byAccessToken(hashOfToken(value));
  if (!found || (login !== undefined && nameKey(login) !== nameKey(found.login))) return undefined;
  // Once a minute is precise enough, and spares a write on every request of a busy client.
  if (!found.last_used_on || now.getTime() - found.last_used_on.getTime() > 60_000)
    await callers(deps).noteTokenUse(found.token_id, now);
  await deps.tokenAddresses.used({ id: found.token_id, userId: found.id }, address);
  return { ...actorOf(deps, found, true), accessTokenId: found.token_id };
}

type Person = NonNullable<Awaited<ReturnType<ReturnType<typeof callers>["byId"]>>>;

function actorOf({ settings }: PersonDeps, person: Person, byAccessToken: boolean): Actor {
  return {
    id: person.id,
    login: person.login,
    name: person.name,
    email: person.email,
    role: roleOfRank(person.rank).name,
    maintainedRepositories: new Set(person.maintained_repositories),
    maintainedPackages: new Set(person.maintained_packages.map(({ r, n }) => packageKey(r, n))),
    closedRepositories: closedTo(settings, person.rank, person.groups),
    byAccessToken,
  };
}

/**
 * The user of an earlier request with the rights that hold now: bodies may take hours to arrive, and exports and
 * uploads run long. Refuses when the account, the session or the access token has ended since; tokens of a provider end by
 * themselves.
 */
export async function actorNow(deps: PersonDeps, actor: Actor): Promise<Actor> {
  const { id, byAccessToken, sessionId, accessTokenId } = actor;
  const store = callers(deps);
  const person =
    sessionId !== undefined
      ? await store.bySessionId(sessionId, sessionLimits(deps))
      : accessTokenId !== undefined
        ? await store.byAccessTokenId(accessTokenId)
        : await store.byId(id);
  if (!person) throw new Refusal("error.user.not.authenticated");
  return {
    ...actorOf(deps, person, byAccessToken),
    ...(sessionId === undefined ? {} : { sessionId }),
    ...(accessTokenId === undefined ? {} : { accessTokenId }),
  };
}

/** For the server's own jobs and commands, which act on behalf of a user. */
export async function actorById(deps: PersonDeps, id: number): Promise<Actor | undefined> {
  const person = await callers(deps).byId(id);
  return person && actorOf(deps, person, false);
}

function basicCredentials(encoded: string): [string, string | undefined] {
  const text = Buffer.from(encoded, "base64").toString("utf8");
  const colon = text.indexOf(":");
  return colon < 0 ? [text, undefined] : [text.slice(0, colon), text.slice(colon + 1)];
}
