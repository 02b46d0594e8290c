import { z } from "zod";

/** What the browser keeps between visits. The token stands in one place only. */
const keys = {
  token: "packhouse.token",
  byProvider: "packhouse.by-provider",
  wanted: "packhouse.wanted-address",
  theme: "packhouse.theme",
  language: "packhouse.language",
  seen: "packhouse.seen-events",
  recent: "packhouse.recent",
  shortcuts: "packhouse.shortcuts",
  upload: "packhouse.upload",
} as const;

export const storedToken = (): string | null => localStorage.getItem(keys.token);
export const storeToken = (token: string): void => localStorage.setItem(keys.token, token);
export function storeProviderToken(token: string): void {
  localStorage.setItem(keys.byProvider, "true");
  storeToken(token);
}
/** Whether the session is an identity provider's, which can be renewed and must be ended there too. */
export const isByProvider = (): boolean => localStorage.getItem(keys.byProvider) === "true";
export function dropToken(): void {
  for (const key of Object.keys(localStorage)) if (key.startsWith(providerPrefix)) localStorage.removeItem(key);
  localStorage.removeItem(keys.byProvider);
  localStorage.removeItem(keys.token);
}

/** Before what the client of the identity provider keeps. */
export const providerPrefix = "packhouse.provider.";

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

const owned = z.object({ user: z.number(), value: z.unknown() });

/** What is kept for one person; nobody else in the same browser is shown it. */
function readOwn<Schema extends z.ZodType>(key: string, userId: number, schema: Schema): z.output<Schema> | undefined {
  try {
    const stored = owned.parse(JSON.parse(localStorage.getItem(key) ?? ""));
    return stored.user === userId ? schema.parse(stored.value) : undefined;
  } catch {
    return undefined; // nothing there, or not what we wrote
  }
}
const storeOwn = (key: string, user: number, value: unknown): void =>
  localStorage.setItem(key, JSON.stringify({ user, value }));

/** Ids of events that somebody has looked at since he signed in. */
export const seenEvents = (userId: number): ReadonlySet<number> =>
  new Set(readOwn(keys.seen, userId, z.array(z.number())));
export const storeSeenEvents = (userId: number, ids: ReadonlySet<number>): void =>
  storeOwn(keys.seen, userId, [...ids].slice(-mostSeen));
export const forgetSeenEvents = (): void => localStorage.removeItem(keys.seen);
const mostSeen = 200;

/** What somebody opened last by the search, newest first. */
const recentItem = z.object({ label: z.string(), hint: z.string(), address: z.string() });
export type RecentItem = z.infer<typeof recentItem>;
export const recentItems = (userId: number): RecentItem[] => readOwn(keys.recent, userId, z.array(recentItem)) ?? [];
export const storeRecentItem = (userId: number, item: RecentItem): void =>
  storeOwn(
    keys.recent,
    userId,
    [item, ...recentItems(userId).filter(({ address }) => address !== item.address)].slice(0, mostRecent),
  );
const mostRecent = 6;

/** The repository and the options of somebody's last upload. */
const uploadChoice = z.object({ repository: z.string(), replace: z.boolean(), generateManual: z.boolean() });
export type UploadChoice = z.infer<typeof uploadChoice>;
export const lastUpload = (userId: number): UploadChoice | undefined => readOwn(keys.upload, userId, uploadChoice);
export const storeLastUpload = (userId: number, choice: UploadChoice): void => storeOwn(keys.upload, userId, choice);

export const shortcutsOff = (): boolean => localStorage.getItem(keys.shortcuts) === "off";
export const storeShortcutsOff = (off: boolean): void => localStorage.setItem(keys.shortcuts, off ? "off" : "on");

/** Tells when another tab signs out, so that this one follows. */
export const onSignedOutElsewhere = (listener: () => void): void =>
  onTokenElsewhere((token) => {
    if (token === null) listener();
  });
/** Tells when another tab signs in or renews the session of both. */
export const onSignedInElsewhere = (listener: () => void): void =>
  onTokenElsewhere((token) => {
    if (token !== null) listener();
  });
const onTokenElsewhere = (listener: (token: string | null) => void): void =>
  window.addEventListener("storage", ({ key, newValue }) => {
    if (key === keys.token) listener(newValue);
  });
