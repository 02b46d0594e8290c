import i18next from "i18next";
import { configuration, loadConfiguration } from "../api/configuration.ts";
import { startLanguages } from "../language/i18n.ts";
import { LoginScreen } from "../session/login-screen.tsx";
import { storedToken } from "../session/stored-session.ts";
import { setTitle } from "../ui/document-title.ts";
import { draw } from "./first-paint.tsx";

/** The sign-in by itself: neither tables nor the router, which come with the first screen behind it. */
await Promise.all([loadConfiguration(), startLanguages()]);
const open = (address: string) => window.location.assign(address);
const home = `${configuration().urlPrefix}packages`;
if (storedToken() !== null) window.location.replace(home);
else {
  setTitle(i18next.t("screen.login"));
  draw(<LoginScreen onSignedIn={(wanted) => open(wanted ?? home)} />);
}
