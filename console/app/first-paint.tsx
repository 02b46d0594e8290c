import "@fontsource-variable/hanken-grotesk/wght.css";
import "@fontsource-variable/red-hat-mono/wght.css";
// Styles for signing in; the shell imports the others.
import "@mantine/core/styles/baseline.layer.css";
import "@mantine/core/styles/global.layer.css";
import "@mantine/core/styles/UnstyledButton.layer.css";
import "@mantine/core/styles/Loader.layer.css";
import "@mantine/core/styles/Button.layer.css";
import "@mantine/core/styles/ActionIcon.layer.css";
import "@mantine/core/styles/CloseButton.layer.css";
import "@mantine/core/styles/Input.layer.css";
import "@mantine/core/styles/PasswordInput.layer.css";
import "@mantine/core/styles/Notification.layer.css";
import "@mantine/notifications/styles.layer.css";
import "virtual:theme-variables.css";
import "../ui/styles/global.css";
import "../ui/styles/mantine.css";
import { Notifications, useNotifications } from "@mantine/notifications";
import { type ReactNode, StrictMode, startTransition, useState } from "react";
import { createRoot } from "react-dom/client";
import { loadCodeTexts } from "../language/i18n.ts";
import { ignoreRestingPointer } from "../ui/resting-pointer.ts";
import { theme } from "../ui/theme.ts";
import { ThemeProvider } from "./theme-provider.tsx";

/** A text whose font is there before it needs no second layout. */
export function loadFont(family: "fontFamily" | "fontFamilyMonospace"): void {
  // One that cannot be loaded is replaced by one of the system's.
  void document.fonts.load(`1em ${theme[family]}`).catch(() => undefined);
}

/** Mounted with the first toast: most pages never have one. */
function Toasts() {
  const [mounted, setMounted] = useState(false);
  const { notifications } = useNotifications();
  if (notifications.length > 0 && !mounted) setMounted(true);
  return mounted && <Notifications position="bottom-left" limit={5} autoClose={3000} transitionDuration={300} />;
}

/** Renders a page with theme and toasts; the configuration has been read. */
export function draw(content: ReactNode): void {
  const root = document.getElementById("root");
  if (!root) throw new Error("the page has no root");
  const page = (
    <StrictMode>
      <ThemeProvider>
        <Toasts />
        {content}
      </ThemeProvider>
    </StrictMode>
  );
  // In slices, so that slow devices stay responsive.
  startTransition(() => createRoot(root).render(page));
  ignoreRestingPointer();
  void loadCodeTexts();
}
