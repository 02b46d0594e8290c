/** What the browser keeps between visits. The token stands in one place only. */
const keys = {
  token: "packhouse.token",
  wanted: "packhouse.wanted-address",
  theme: "packhouse.theme",
  language: "packhouse.language",
} as const;

export const storedToken = (): string | null => localStorage.getItem(keys.token);
export const storeToken = (token: string): void => localStorage.setItem(keys.token, token);
export const dropToken = (): void => localStorage.removeItem(keys.token);

/** Where somebody wanted to go before he had to sign in; taken once. */
export const rememberAddress = (address: string): void => sessionStorage.setItem(keys.wanted, address);
export function takeRememberedAddress(): string | null {
  const address = sessionStorage.getItem(keys.wanted);
  sessionStorage.removeItem(keys.wanted);
  return address;
}

export const storeTheme = (theme: string): void => localStorage.setItem(keys.theme, theme);
export const storedLanguage = (): string | null => localStorage.getItem(keys.language);
export const storeLanguage = (language: string): void => localStorage.setItem(keys.language, language);

/** Tells when another tab signs out, so that this one follows. */
export function onSignedOutElsewhere(listener: () => void): () => void {
  const listen = (event: StorageEvent) => {
    if (event.key === keys.token && event.newValue === null) listener();
  };
  window.addEventListener("storage", listen);
  return () => window.removeEventListener("storage", listen);
}
