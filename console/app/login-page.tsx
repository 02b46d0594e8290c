import { useNavigate, useRouter } from "@tanstack/react-router";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { toast } from "../ui/toasts.tsx";

/** The sign-in within the console, where users get when they are signed out. */
export function LoginPage() {
  const navigate = useNavigate();
  const router = useRouter();
  const enter = (wanted: string | null, success: string) => {
    toast.success(success);
    if (wanted) router.history.push(wanted);
    else void navigate({ to: "/packages" });
  };
  return <LoginScreen onSignedIn={enter} />;
}
