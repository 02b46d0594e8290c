import { session as sessionShape } from "@packhouse/contract/login";
import { api } from "../api/client.ts";
import { dropToken, forgetSeenEvents, storeToken } from "./stored-session.ts";

/** Signs in by name and password; the token is kept for the calls that follow. */
export async function signIn(login: string, password: string): Promise<void> {
  dropToken();
  const { data } = await api.login({ login, password }, sessionShape);
  storeToken(data.token);
  forgetSeenEvents();
}

/** The same for the person whose session ended under the page. */
export async function signInAgain(login: string, password: string): Promise<void> {
  const { data } = await api.login({ login, password }, sessionShape);
  storeToken(data.token);
}
