import { session as sessionShape } from "@packhouse/contract/login";
import { api } from "../api/client.ts";
import { forgetSeenEvents } from "../session/seen-events.ts";
import { dropToken, storeToken } from "../session/stored-session.ts";

/** Signs in by name and password. */
export async function signIn(login: string, password: string): Promise<void> {
  dropToken();
  const { data } = await api.login({ login, password }, sessionShape);
  startSession(data.token);
}

/** Keeps the token of a sign-in for the calls that follow. */
export function startSession(token: string): void {
  storeToken(token);
  forgetSeenEvents();
}

/** Sets a password by a one-time link or the continuation of a sign-in, and signs in with it. */
export async function signInByNewPassword(
  token: string,
  { password, keepAccessTokens }: { password: string; keepAccessTokens: boolean },
): Promise<void> {
  const { data } = await api.login({ token, password, keepAccessTokens }, sessionShape, "/password");
  dropToken();
  startSession(data.token);
}

/** The same for the person whose session ended under the page. */
export async function signInAgain(login: string, password: string): Promise<void> {
  const { data } = await api.login({ login, password }, sessionShape);
  storeToken(data.token);
}
