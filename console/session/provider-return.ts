import { askBeforeSignOut } from "@packhouse/contract/sign-out-address";
import { endSession } from "../api/client.ts";
import { configuration } from "../api/configuration.ts";
import { forgetSession, isByProvider, storedToken } from "./stored-session.ts";

/**
 * The result of an address that the provider redirected to; undefined for other addresses. `handled`: this is a hidden
 * frame or a separate window, and the page that opened it has been notified. `ask`: another site leads to signing out.
 */
export type ProviderReturn = "signed-in" | "signed-out" | "failed" | "handled" | "ask";

/** Ends a session by password, which no provider knows. */
async function leave(): Promise<ProviderReturn> {
  const token = storedToken();
  forgetSession();
  if (token !== null) await endSession(token);
  return "signed-out";
}

/**
 * Finishes what was started at the provider, if this is one of its redirects. The sign-in page shows a failure;
 * its details are for developers.
 */
export async function finishAtProvider(): Promise<ProviderReturn | undefined> {
  const { oidc, urlPrefix } = configuration();
  const path = location.pathname.slice(urlPrefix.length).replace(/\/$/, "");
  if (!/^(auth|auth\/silent|logout)$/.test(path)) return undefined;
  // After a sign-out that began here, there is no session any more.
  if (path === "logout" && storedToken() !== null && new URLSearchParams(location.search).has(askBeforeSignOut))
    return "ask";
  if (!oidc || (path === "logout" && !isByProvider())) return path === "logout" ? leave() : "signed-in";
  const provider = await import("./provider.ts");
  try {
    if (path === "auth/silent") {
      await provider.finishRenewal();
      return "handled";
    }
    if (path === "auth") {
      return (await provider.finishSignIn()) ? "signed-in" : "handled";
    }
    await provider.finishSignOut();
  } catch (error) {
    console.error(error);
    if (path !== "logout") return "failed";
  }
  forgetSession();
  return "signed-out";
}
