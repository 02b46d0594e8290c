import { useNavigate } from "@tanstack/react-router";
import { signOut } from "./sign-out.ts";
import { isByProvider } from "./stored-session.ts";

/** Ends the session, at the identity provider too if it is the provider's, and shows the sign-in page. */
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
