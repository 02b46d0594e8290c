import { Button, useMantineColorScheme } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { loadFailure } from "../api/load-failure.ts";
import { UnreadableResponse } from "../api/unreadable-response.ts";
import { TopBar } from "../layout/top-bar.tsx";
import { useSignOut } from "../session/use-sign-out.ts";

/** In place of a screen that cannot be shown: the server is away, or the screen itself broke. */
export function FailedScreen({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const { sentence, traceId } = loadFailure(error, t);
  const signOut = useSignOut();
  return (
    <section className="ph-empty" role="alert" data-testid="screen-failed">
      <IconAlertCircle size={40} aria-hidden />
      <h1>
        {error instanceof UnreadableResponse
          ? sentence
          : error instanceof ApiFailure
            ? t("message.noAnswer")
            : t("message.broken")}
      </h1>
      {traceId && <span className="ph-mono">{`${t("message.traceId")} ${traceId}`}</span>}
      <div className="ph-buttons">
        <Button variant="default" onClick={signOut} data-testid="failed-sign-out">
          {t("session.signOut")}
        </Button>
        <Button onClick={() => void router.invalidate()}>{t("action.retry")}</Button>
      </div>
    </section>
  );
}

/** The same where not even the shell can be shown, because nobody knows yet for whom. */
export function FailedPage(props: ErrorComponentProps) {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className="ph-main">
        <FailedScreen {...props} />
      </main>
    </>
  );
}
