/** How calls are authenticated. The session provides it, because the API client does not depend on the session. */
export interface Credentials {
  /** The token for calls; null: nobody is signed in. */
  token(): string | null;
  /** What calls must wait for: resolves when they may continue, rejects when the user leaves instead. */
  paused(): Promise<void> | undefined;
  /** The server refused a token; true if calls are now paused and should be sent again afterward. */
  expired(token: string): boolean;
  /** The server refused a call because of who sent it. Whatever the screen shows, the session must react. */
  refused(status: 401 | 403): void;
}

let current: Credentials = { token: () => null, paused: () => undefined, expired: () => false, refused() {} };

export const signCallsWith = (given: Credentials): void => {
  current = given;
};
export const credentials = (): Credentials => current;
