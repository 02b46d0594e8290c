import { Button } from "@mantine/core";
import { IconAlertTriangle } from "@tabler/icons-react";
import { useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";

/** For unknown addresses and for items that are not there. */
export function NotFoundScreen() {
  const { t } = useTranslation();
  const router = useRouter();
  const back = () => (window.history.length > 1 ? router.history.back() : void router.navigate({ to: "/packages" }));
  return (
    <section className="ph-empty" data-testid="screen-pageNotFound">
      <IconAlertTriangle size={40} aria-hidden />
      <h1>{t("screen.notFound")}</h1>
      <span>{t("message.pageNotFound")}</span>
      <Button onClick={back}>{t("action.back")}</Button>
    </section>
  );
}
