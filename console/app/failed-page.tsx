import { Button, useMantineColorScheme } from "@mantine/core";
import { IconAlertCircle } from "@tabler/icons-react";
import { type ErrorComponentProps, useRouter } from "@tanstack/react-router";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { loadFailure } from "../api/load-failure.ts";
import { UnreadableResponse } from "../api/unreadable-response.ts";
import { TopBar } from "../layout/top-bar.tsx";
import { useSignOut } from "../session/use-sign-out.ts";
import emptyStyles from "../ui/styles/empty.module.css";
import formStyles from "../ui/styles/form.module.css";
import pageStyles from "../ui/styles/page.module.css";
import textStyles from "../ui/styles/text.module.css";

/** In place of a screen that cannot be shown: the server is unreachable, or the screen itself crashed. */
export function FailedScreen({ error }: ErrorComponentProps) {
  const { t } = useTranslation();
  const router = useRouter();
  const { sentence, traceId } = loadFailure(error, t);
  const signOut = useSignOut();
  return (
    <section className={emptyStyles.empty} role="alert" data-testid="screen-failed">
      <IconAlertCircle size={40} aria-hidden />
      <h1>
        {error instanceof UnreadableResponse
          ? sentence
          : error instanceof ApiFailure
            ? t("message.noAnswer")
            : t("message.broken")}
      </h1>
      {traceId && <span className={textStyles.mono}>{`${t("message.traceId")} ${traceId}`}</span>}
      <div className={formStyles.buttons}>
        <Button variant="default" onClick={signOut} data-testid="failed-sign-out">
          {t("session.signOut")}
        </Button>
        <Button onClick={() => void router.invalidate()}>{t("action.retry")}</Button>
      </div>
    </section>
  );
}

/** The same without the shell, for when the user is still unknown. */
export function FailedPage(props: ErrorComponentProps) {
  const { setColorScheme } = useMantineColorScheme();
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className={pageStyles.main}>
        <FailedScreen {...props} />
      </main>
    </>
  );
}
