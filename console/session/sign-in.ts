import { session as sessionShape } from "@packhouse/contract/login";
import { api } from "../api/client.ts";
import { dropToken, forgetSeenEvents, storeToken } from "./stored-session.ts";

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

/** The same for the person whose session ended under the page. */
export async function signInAgain(login: string, password: string): Promise<void> {
  const { data } = await api.login({ login, password }, sessionShape);
  storeToken(data.token);
}
