import { useNavigate } from "@tanstack/react-router";
import { signOut } from "./sign-out.ts";
import { isByProvider } from "./stored-session.ts";

/** Ends the session, also at the identity provider if it issued it, and shows the sign-in page. */
export function useSignOut(): () => void {
  const navigate = useNavigate();
  const toLogin = () => void navigate({ to: "/login" });
  return () => {
    if (isByProvider())
      import("./provider.ts").then(({ signOutAtProvider }) => signOutAtProvider(signOut)).catch(toLogin);
    else {
      signOut();
      toLogin();
    }
  };
}
