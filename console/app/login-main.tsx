import i18next from "i18next";
import { configuration, loadConfiguration } from "../api/configuration.ts";
import { startLanguages } from "../language/i18n.ts";
import { finishAtProvider } from "../session/provider-return.ts";
import { storedToken, takeRememberedAddress } from "../session/stored-session.ts";
import { ConfirmSignOut } from "../sign-in/confirm-sign-out.tsx";
import { LoginScreen } from "../sign-in/login-screen.tsx";
import { takePasswordToken } from "../sign-in/password-link.ts";
import { setTitle } from "../ui/document-title.ts";
import { toastAfterLoad } from "../ui/toast-after-load.ts";
import { draw, loadFont } from "./first-paint.tsx";

/** Only the sign-in: no tables and no router, which load with the first screen after it. */
loadFont("fontFamily");
await Promise.all([loadConfiguration(), startLanguages()]);
const open = (address: string) => window.location.assign(address);
const home = `${configuration().urlPrefix}packages`;
const passwordToken = takePasswordToken();
const returned = passwordToken === undefined ? await finishAtProvider() : undefined;
if (returned === "handled") {
  // The page that opened this one continues.
} else if (returned === "ask") {
  setTitle(i18next.t("screen.signOut"));
  draw(
    <ConfirmSignOut
      // Opened from this page, the address signs out without asking.
      onSignOut={() => window.location.replace(`${configuration().urlPrefix}logout`)}
      onStay={() => window.location.replace(home)}
    />,
  );
} else if (returned === "signed-in") {
  if (storedToken() !== null) toastAfterLoad(i18next.t("session.loginOk"));
  window.location.replace(takeRememberedAddress() ?? home);
} else if (passwordToken === undefined && storedToken() !== null) window.location.replace(home);
else {
  if (returned) history.replaceState(null, "", `${configuration().urlPrefix}login`);
  setTitle(i18next.t("screen.login"));
  draw(
    <LoginScreen
      failed={returned === "failed"}
      passwordToken={passwordToken}
      onSignedIn={(wanted, success) => {
        toastAfterLoad(success);
        open(wanted ?? home);
      }}
    />,
  );
}
