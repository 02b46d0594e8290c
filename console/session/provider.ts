import { ErrorTimeout, type StateStore, type User, UserManager } from "oidc-client-ts";
import { configuration } from "../api/configuration.ts";
import { siteStorage } from "../storage/browser-storage.ts";
import { providerPrefix, storedToken, storeProviderToken } from "./stored-session.ts";

const retryAfterMs = 5000;
const renewalLock = "packhouse-renewal";

/** What is under way at the provider, until it redirects back. */
const statePrefix = "oidc.";

const storeFor = (prefix: string): StateStore => ({
  set: async (key, value) => siteStorage.keep(prefix + key, value),
  get: async (key) => siteStorage.read(prefix + key),
  async remove(key) {
    const stored = siteStorage.read(prefix + key);
    siteStorage.remove(prefix + key);
    return stored;
  },
  getAllKeys: async () => siteStorage.names(prefix).map((name) => name.slice(prefix.length)),
});

let manager: UserManager | undefined;

/** Authorization code with PKCE (RFC 6749, RFC 7636) using a maintained client, which is configured here. */
function provider(): UserManager {
  const { oidc, urlPrefix } = configuration();
  if (!oidc) throw new Error("no identity provider is configured");
  const base = location.origin + urlPrefix;
  manager ??= new UserManager({
    authority: oidc.authority,
    client_id: oidc.clientId,
    ...(oidc.clientSecret === undefined ? {} : { client_secret: oidc.clientSecret }),
    scope: oidc.scope,
    response_type: "code",
    redirect_uri: `${base}auth`,
    popup_redirect_uri: `${base}auth`,
    silent_redirect_uri: `${base}auth/silent`,
    post_logout_redirect_uri: `${base}logout`,
    silentRequestTimeoutInSeconds: 10,
    staleStateAgeInSeconds: 15 * 60,
    validateSubOnSilentRenew: true,
    // Renewed under a lock below: two tabs must not use the same refresh token.
    automaticSilentRenew: false,
    // All tabs of the browser share the sign-in, as they do with a password.
    userStore: storeFor(providerPrefix),
    stateStore: storeFor(statePrefix),
  });
  return manager;
}

/** The token that the API accepts. */
function keep(user: User): void {
  const token = configuration().oidc?.token === "id" ? user.id_token : user.access_token;
  if (!token) throw new Error("the provider sent no token");
  storeProviderToken(token);
}

/** Redirects to the provider's sign-in. */
export const signInAtProvider = (): Promise<void> => provider().signinRedirect();

/**
 * Handles the provider's redirect, with a code in the address. False in the sign-in window of another page, which waits
 * for it and closes the window.
 */
export async function finishSignIn(): Promise<boolean> {
  const manager = provider();
  await manager.clearStaleState();
  const user = await manager.signinCallback();
  if (user) keep(user);
  return user !== undefined;
}

/** The same in the hidden frame of a renewal, whose parent page waits for it. */
export const finishRenewal = (): Promise<void> => provider().signinSilentCallback();

export type SignInOutcome = "signedIn" | "otherUser" | "popupBlocked" | "notSignedIn";

const popup = { name: "packhouse-sign-in", width: 480, height: 640, pollMs: 500 };

/**
 * Signs the same user in again in a separate window. `forcesLogin`: even if the provider still has a session.
 * `onClosed` is called when the window seems to be closed; it keeps listening, because pages that isolate themselves
 * (Cross-Origin-Opener-Policy) also seem closed. The signal ends it.
 */
export async function signInOverPage(
  forcesLogin: boolean,
  signal: AbortSignal,
  onClosed: () => void,
): Promise<SignInOutcome> {
  const manager = provider();
  const before = await manager.getUser();
  const left = Math.round(screenX + (outerWidth - popup.width) / 2);
  const top = Math.round(screenY + (outerHeight - popup.height) / 2);
  const place = `popup,width=${popup.width},height=${popup.height},left=${left},top=${top}`;
  // Opened here, because the client detects neither a blocked nor a closed window. It finds this window by its name.
  const opened = window.open("", popup.name, place);
  if (!opened) return "popupBlocked";
  const watch = setInterval(() => {
    if (!opened.closed) return;
    clearInterval(watch);
    onClosed();
  }, popup.pollMs);
  try {
    const user = await manager.signinPopup({
      popupWindowTarget: popup.name,
      popupSignal: signal,
      ...(forcesLogin ? { prompt: "login" } : {}),
    });
    if (before && before.profile.sub !== user.profile.sub) {
      await manager.storeUser(before);
      return "otherUser";
    }
    keep(user);
    return "signedIn";
  } catch (error) {
    console.error(error);
    return "notSignedIn";
  } finally {
    clearInterval(watch);
    opened.close();
  }
}

/**
 * A new token for the session, by refresh token or hidden frame. Another tab may already have renewed it; a
 * different user is refused.
 */
export function renew(): Promise<void> {
  const before = storedToken();
  return navigator.locks.request(renewalLock, async () => {
    if (storedToken() !== before) return;
    const user = await provider()
      .signinSilent()
      .catch(async (error: unknown) => {
        if (!(error instanceof ErrorTimeout)) throw error;
        await new Promise((done) => setTimeout(done, retryAfterMs));
        return provider().signinSilent();
      });
    // If the user signed out in the meantime, they stay signed out.
    if (user && storedToken() !== null) keep(user);
  });
}

/**
 * Ends the session here with `forget` and redirects to the provider's sign-out; throws if it has none.
 * What the provider needs is read first, because `forget` removes it, too.
 */
export async function signOutAtProvider(forget: () => void): Promise<void> {
  const manager = provider();
  const user = await manager.getUser();
  await manager.revokeTokens().catch(() => {
    // Not every provider supports revocation; the tokens expire anyway.
  });
  forget();
  await manager.signoutRedirect(user?.id_token ? { id_token_hint: user.id_token } : {});
}

export async function finishSignOut(): Promise<void> {
  await provider().signoutRedirectCallback();
}
