/** How calls are signed. The session provides it, because the client of the API knows no session. */
export interface Credentials {
  /** What calls carry; null: nobody is signed in. */
  token(): string | null;
  /** Where calls must wait: resolves when they may go on, rejects when the user leaves instead. */
  paused(): Promise<void> | undefined;
  /** The server refused a token; true where calls are paused now and worth a second try after that. */
  expired(token: string): boolean;
}

let current: Credentials = { token: () => null, paused: () => undefined, expired: () => false };

export const signCallsWith = (given: Credentials): void => {
  current = given;
};
export const credentials = (): Credentials => current;
