import { useNavigate, useRouter } from "@tanstack/react-router";
import { LoginScreen } from "../sign-in/login-screen.tsx";

/** The sign-in within the console, where users get when they are signed out. */
export function LoginPage() {
  const navigate = useNavigate();
  const router = useRouter();
  return (
    <LoginScreen onSignedIn={(wanted) => (wanted ? router.history.push(wanted) : void navigate({ to: "/packages" }))} />
  );
}
