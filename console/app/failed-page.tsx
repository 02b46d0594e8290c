import { Button, useMantineColorScheme } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { TopBar } from "./top-bar.tsx";

/** In place of a screen that cannot be shown at all: the server is away, or the screen itself broke. */
export function FailedPage({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const router = useRouter();
  const crash = error instanceof ApiFailure ? error.crash : undefined;
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className="ph-main">
        <section className="ph-empty" role="alert" data-testid="screen-failed">
          <IconAlertCircle size={40} aria-hidden />
          <h1>{error instanceof ApiFailure ? t("message.noAnswer") : t("message.broken")}</h1>
          {crash && <span className="ph-mono">{`${t("message.traceId")} ${crash.traceId}`}</span>}
          <Button onClick={() => void router.invalidate()}>{t("action.retry")}</Button>
        </section>
      </main>
    </>
  );
}
