import { siteStorage, tabStorage } from "../storage/browser-storage.ts";
import { forgetTab } from "./own-storage.ts";
import { forgetSeenEvents } from "./seen-events.ts";

/** What the browser stores of a session. The token is in one place only. */
const keys = {
  token: "packhouse.token",
  byProvider: "packhouse.by-provider",
  wanted: "packhouse.wanted-address",
  role: "packhouse.role",
} as const;

export const storedToken = (): string | null => siteStorage.read(keys.token);
/** Without it there is no session: throws `NotStored` where the browser refuses. */
export const storeToken = (token: string): void => siteStorage.keep(keys.token, token);
export function storeProviderToken(token: string): void {
  siteStorage.keep(keys.byProvider, "true");
  storeToken(token);
}
/** Whether the session is an identity provider's, which can be renewed and must be ended there, too. */
export const isByProvider = (): boolean => siteStorage.read(keys.byProvider) === "true";
export function dropToken(): void {
  for (const key of siteStorage.names(providerPrefix)) siteStorage.remove(key);
  siteStorage.remove(keys.role);
  siteStorage.remove(keys.byProvider);
  siteStorage.remove(keys.token);
}

/** Removes what the browser stores of a session and of its user. */
export function forgetSession(): void {
  dropToken();
  forgetSeenEvents();
  forgetTab();
}

/** Where the last role seen in the session is stored. */
export const roleKey = keys.role;

/** Prefix of what the identity provider's client stores. */
export const providerPrefix = "packhouse.provider.";

/** Where the user wanted to go before they had to sign in; read once. */
export function rememberAddress(address: string): void {
  tabStorage.write(keys.wanted, address);
}
export function takeRememberedAddress(): string | null {
  const address = tabStorage.read(keys.wanted);
  tabStorage.remove(keys.wanted);
  return address;
}

/** Notifies when another tab signs out, so that this one follows. */
export const onSignedOutElsewhere = (listener: () => void): void =>
  onTokenElsewhere((token) => {
    if (token === null) listener();
  });
/** Notifies when another tab signs in or renews their shared session. */
export const onSignedInElsewhere = (listener: () => void): void =>
  onTokenElsewhere((token) => {
    if (token !== null) listener();
  });
const onTokenElsewhere = (listener: (token: string | null) => void): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === keys.token) listener(newValue);
  });
