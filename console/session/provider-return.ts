import { configuration } from "../api/configuration.ts";
import { dropToken } from "./stored-session.ts";

/**
 * The result of an address that the provider redirected to; undefined for other addresses. `handled`: this is a hidden
 * frame or a separate window, and the page that opened it has been notified.
 */
export type ProviderReturn = "signed-in" | "signed-out" | "failed" | "handled";

/**
 * Finishes what was started at the provider, if this is one of its redirects. The sign-in page shows a failure;
 * its details are for developers.
 */
export async function finishAtProvider(): Promise<ProviderReturn | undefined> {
  const { oidc, urlPrefix } = configuration();
  const path = location.pathname.slice(urlPrefix.length).replace(/\/$/, "");
  if (!oidc || !/^(auth|auth\/silent|logout)$/.test(path)) return undefined;
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
  dropToken();
  return "signed-out";
}
