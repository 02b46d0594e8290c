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
