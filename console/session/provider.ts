import { ErrorTimeout, type User, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { configuration } from "../api/configuration.ts";
import { providerPrefix, storedToken, storeProviderToken } from "./stored-session.ts";

const retryAfterMs = 5000;
const renewalLock = "packhouse-renewal";

let manager: UserManager | undefined;

/** Authorization code with PKCE (RFC 6749, RFC 7636) by a maintained client; everything here is its settings and order. */
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
    // Renewed under a lock below: two tabs must not spend one refresh token.
    automaticSilentRenew: false,
    // All tabs of the browser are signed in together, as they are by password.
    userStore: new WebStorageStateStore({ prefix: providerPrefix, store: localStorage }),
  });
  return manager;
}

/** The token that the API takes. */
function keep(user: User): void {
  const token = configuration().oidc?.token === "id" ? user.id_token : user.access_token;
  if (!token) throw new Error("the provider sent no token");
  storeProviderToken(token);
}

/** Leaves for the provider's sign-in. */
export const signInAtProvider = (): Promise<void> => provider().signinRedirect();

/**
 * Back from the provider, with a code in the address. False in the window of a sign-in over a page, which waits for it
 * and closes the window.
 */
export async function finishSignIn(): Promise<boolean> {
  const manager = provider();
  await manager.clearStaleState();
  const user = await manager.signinCallback();
  if (user) keep(user);
  return user !== undefined;
}

/** The same in the hidden frame of a renewal, whose page outside waits for it. */
export const finishRenewal = (): Promise<void> => provider().signinSilentCallback();

export type SignInOutcome = "signedIn" | "somebodyElse" | "popupBlocked" | "notSignedIn";

const popup = { name: "packhouse-sign-in", width: 480, height: 640, pollMs: 500 };

/**
 * Signs the same person in again in a window of its own. `anew`: although the provider still knows somebody.
 * `onClosed` is told when the window seems closed; it goes on listening, because pages that isolate themselves
 * (Cross-Origin-Opener-Policy) seem so, too. The signal ends it.
 */
export async function signInOverPage(anew: boolean, signal: AbortSignal, onClosed: () => void): Promise<SignInOutcome> {
  const manager = provider();
  const before = await manager.getUser();
  const left = Math.round(screenX + (outerWidth - popup.width) / 2);
  const top = Math.round(screenY + (outerHeight - popup.height) / 2);
  const place = `popup,width=${popup.width},height=${popup.height},left=${left},top=${top}`;
  // Opened here, because the client tells neither a blocked window nor a closed one. It finds this one by its name.
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
      ...(anew ? { prompt: "login" } : {}),
    });
    if (before && before.profile.sub !== user.profile.sub) {
      await manager.storeUser(before);
      return "somebodyElse";
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
 * A new token for the session, by refresh token or hidden frame. Another tab may have got it meanwhile; somebody else
 * than before is refused.
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
    // Whoever signed out while it ran stays so.
    if (user && storedToken() !== null) keep(user);
  });
}

/**
 * Ends the session here by `forget` and leaves for the provider's sign-out; fails where it has none.
 * What the provider needs is read before, because it is forgotten, too.
 */
export async function signOutAtProvider(forget: () => void): Promise<void> {
  const manager = provider();
  const user = await manager.getUser();
  await manager.revokeTokens().catch(() => {
    // Not every provider revokes; the tokens end by themselves.
  });
  forget();
  await manager.signoutRedirect(user?.id_token ? { id_token_hint: user.id_token } : {});
}

export async function finishSignOut(): Promise<void> {
  await provider().signoutRedirectCallback();
}
