import { signIn as byPassword } from "@packhouse/contract/operations/sign-in";
import { signInBy } from "../api/client.ts";
import { forgetSeenEvents } from "../session/seen-events.ts";
import { dropToken, storeToken } from "../session/stored-session.ts";

/** Signs in by name and password. */
export async function signIn(login: string, password: string): Promise<void> {
  dropToken();
  const { token } = await signInBy(byPassword, { login, password });
  startSession(token);
}

/** Keeps the token of a sign-in for the calls that follow. */
export function startSession(token: string): void {
  storeToken(token);
  forgetSeenEvents();
}

/** Signs in again the person whose session ended under the page. */
export async function signInAgain(login: string, password: string): Promise<void> {
  const { token } = await signInBy(byPassword, { login, password });
  storeToken(token);
}
