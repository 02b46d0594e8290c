import { configuration } from "../api/configuration.ts";
import { dropToken } from "./stored-session.ts";

/**
 * What came of an address to which the provider sent the browser back; undefined: it is none. `told`: this is a hidden
 * frame or a window of its own, and the page that opened it has been told.
 */
export type ProviderReturn = "signed-in" | "signed-out" | "failed" | "told";

/**
 * Finishes what was begun at the provider, when this is one of the addresses for that. A failure is told on the
 * sign-in; what exactly it was is for the developer's eyes.
 */
export async function finishAtProvider(): Promise<ProviderReturn | undefined> {
  const { oidc, urlPrefix } = configuration();
  const path = location.pathname.slice(urlPrefix.length).replace(/\/$/, "");
  if (!oidc || !/^(auth|auth\/silent|logout)$/.test(path)) return undefined;
  const provider = await import("./provider.ts");
  try {
    if (path === "auth/silent") {
      await provider.finishRenewal();
      return "told";
    }
    if (path === "auth") {
      return (await provider.finishSignIn()) ? "signed-in" : "told";
    }
    await provider.finishSignOut();
  } catch (error) {
    console.error(error);
    if (path !== "logout") return "failed";
  }
  dropToken();
  return "signed-out";
}
