import { hideNotification } from "@mantine/notifications";
import i18next from "i18next";
import { useTranslation } from "react-i18next";
import buttonStyles from "../ui/styles/button.module.css";
import { toast } from "../ui/toasts.tsx";
import { offerSignIn, pauseSession, resumeSession } from "./session-pause.ts";
import { secondsLeft } from "./session-token.ts";
import { isByProvider, onSignedInElsewhere, storedToken } from "./stored-session.ts";

const lookEveryMs = 5000;
const noticeSeconds = 60;
const noticeId = "session-end";

/**
 * Renews a provider's session before it ends; offers all other users a minute before to continue; and pauses an expired
 * session, or ends it if no page is open. Checks every few seconds, because a computer may wake up late from sleep.
 */
export function watchSessionEnd(end: () => void): void {
  let offeredFor: string | undefined;
  let renewing = false;
  const offer = (token: string, left: number) => {
    if (offeredFor === token) return;
    offeredFor = token;
    toast.warning(<Expiring seconds={left} />, { id: noticeId, autoClose: left * 1000, sticky: true });
  };
  const over = () => {
    hideNotification(noticeId);
    if (pauseSession()) return;
    toast.info(i18next.t("session.ended"), { id: noticeId, autoClose: 8000 });
    end();
  };
  const renewOr = async (otherwise: () => void) => {
    renewing = true;
    try {
      const { renew } = await import("./provider.ts");
      await renew();
    } catch (error) {
      console.error(error);
      otherwise();
    } finally {
      renewing = false;
    }
  };
  let refused: string | undefined;
  const look = async () => {
    const token = storedToken();
    const left = token === null ? undefined : secondsLeft(token);
    if (token === null || left === undefined || left > noticeSeconds || renewing) return;
    const goOn = () => (left > 0 ? offer(token, left) : over());
    if (!isByProvider() || refused === token) goOn();
    else
      await renewOr(() => {
        refused = token;
        goOn();
      });
  };
  setInterval(() => void look(), lookEveryMs);
  onSignedInElsewhere(() => {
    hideNotification(noticeId);
    resumeSession();
  });
}

/** Announces the end of the session, with a button to continue. */
function Expiring({ seconds }: { seconds: number }) {
  const { t } = useTranslation();
  return (
    <>
      {t("session.expiring", { seconds })}{" "}
      <button type="button" className={buttonStyles.linkButton} onClick={offerSignIn} data-testid="stay-signed-in">
        {t("session.stay")}
      </button>
    </>
  );
}
