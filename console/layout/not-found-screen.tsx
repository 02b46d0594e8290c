import { Button, useMantineColorScheme } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { replaceTitle } from "../ui/document-title.ts";
import emptyStyles from "../ui/styles/empty.module.css";
import pageStyles from "../ui/styles/page.module.css";
import { TopBar } from "./top-bar.tsx";

/** In place of an item that does not exist. */
export function NotFoundScreen() {
  const { t } = useTranslation();
  const router = useRouter();
  useEffect(() => replaceTitle(t("screen.notFound")), [t]);
  const back = () => (window.history.length > 1 ? router.history.back() : void router.navigate({ to: "/packages" }));
  return (
    <section className={emptyStyles.empty} data-testid="screen-pageNotFound">
      <IconAlertTriangle size={40} aria-hidden />
      <h1>{t("screen.notFound")}</h1>
      <span>{t("message.pageNotFound")}</span>
      <Button onClick={back}>{t("action.back")}</Button>
    </section>
  );
}

/** For addresses without a screen: a page without the drawer, because the user need not be signed in. */
export function NotFoundPage() {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className={pageStyles.main}>
        <NotFoundScreen />
      </main>
    </>
  );
}
