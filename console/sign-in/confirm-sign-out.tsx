import { Button } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { SignInFrame } from "./sign-in-frame.tsx";

interface ConfirmSignOutProps {
  onSignOut(): void;
  onStay(): void;
}

/** Asks before signing out where another site has led here, because no other site may end a session. */
export function ConfirmSignOut({ onSignOut, onStay }: ConfirmSignOutProps) {
  const { t } = useTranslation();
  return (
    <SignInFrame testId="screen-signOut" lead={t("session.signOutAsked")}>
      <Button size="md" onClick={onSignOut} data-testid="sign-out-confirm">
        {t("session.signOut")}
      </Button>
      <Button size="md" variant="default" onClick={onStay} data-testid="sign-out-cancel">
        {t("session.stay")}
      </Button>
    </SignInFrame>
  );
}
