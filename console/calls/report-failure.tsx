import i18next from "i18next";
import { MissingParameter } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { noticeLostConnection } from "../api/lost-connection.ts";
import { UnreadableResponse } from "../api/unreadable-response.ts";
import type { Catalog } from "../language/en.ts";
import { detailIn } from "../language/i18n.ts";
import { NotStored } from "../storage/browser-storage.ts";
import { toast } from "../ui/toasts.tsx";

/** The session's reaction to a failure; set by the app, because signing out navigates. */
let session: { signOut(): void; refreshUser(): void; isSignedIn(): boolean } = {
  signOut() {},
  refreshUser() {},
  isSignedIn: () => false,
};
export const handleFailuresBy = (handlers: typeof session): void => {
  session = handlers;
};

const isKnownCode = (code: string): code is keyof Catalog["code"] => i18next.exists(`code.${code}`);
/** A code, optionally followed by details. */
function translated(entry: string): string {
  if (isKnownCode(entry)) return String(i18next.t(`code.${entry}`));
  const [, code = "", detail = ""] = /^([a-z.]+): (.+)$/s.exec(entry) ?? [];
  return isKnownCode(code) ? `${translated(code)}: ${detailIn(detail)}` : entry;
}

/** The message of a refusal: its code in the user's language, otherwise the server's own words. */
const sentenceOf = ({ status, messageCode, message }: ApiFailure): string =>
  status === undefined
    ? i18next.t("message.noAnswer")
    : messageCode && isKnownCode(messageCode)
      ? translated(messageCode)
      : message || i18next.t("message.broken");

/** The server's reasons in the user's language; codes without a translation are shown as they are. */
export function reasonsOf(failure: ApiFailure): string[] {
  const reasons = failure.violations.map(translated);
  return reasons.length > 0 ? reasons : [sentenceOf(failure)];
}

/** A 405 about the record is its own message; any other means that this is not the expected server. */
const isWrongServer = ({ messageCode }: ApiFailure): boolean =>
  messageCode === null || messageCode === "method.not.allowed";

/** The server refused a call because of who sent it. Noticed where calls are sent, so that no kind of call can miss it. */
export const reportRefusal = (status: 401 | 403): void => reportFailure(new ApiFailure(status, null, "", null));

/** Reports a failure to the user, once, and triggers the session's reaction. */
export function reportFailure(error: unknown): void {
  if (error instanceof MissingParameter) {
    toast.error(i18next.t("message.requiredParameter", { name: error.parameter, call: error.call }));
    return;
  }
  if (error instanceof NotStored) {
    toast.error(i18next.t("message.notStored"));
    return;
  }
  if (error instanceof UnreadableResponse) {
    toast.error(i18next.t("message.unreadable", { operation: error.operation }), { id: error.operation });
    return;
  }
  if (!(error instanceof ApiFailure)) {
    if (error instanceof DOMException && error.name === "AbortError") return; // canceled by us
    toast.error(error instanceof Error ? error.message : String(error));
    return;
  }
  const { status, crash } = error;
  switch (status) {
    case undefined:
      toast.error(i18next.t("message.misconfigured"), { id: "no-answer" });
      noticeLostConnection();
      return;
    case 304:
      if (!session.isSignedIn()) session.signOut();
      return;
    case 401:
      toast.error(i18next.t("message.unauthenticated"), { id: "unauthenticated" });
      session.signOut();
      return;
    case 403:
      toast.error(i18next.t("message.unauthorized"), { id: "unauthorized" });
      session.refreshUser();
      return;
    case 405:
      if (isWrongServer(error)) {
        toast.error(i18next.t("message.misconfigured"), { id: "no-answer" });
        session.signOut();
      } else toast.error(sentenceOf(error));
      return;
    case 422:
      toast.error(<Reasons title={i18next.t("message.invalid")} reasons={reasonsOf(error)} />);
      return;
    default:
      if (status >= 500 && crash) void import("./crash-toast.tsx").then(({ reportCrash }) => reportCrash(crash));
      else toast.error(sentenceOf(error));
  }
}

/** Shows an expected refusal as a warning, and keeps the form open. True if it was one. */
export function warnOfRefusal(error: unknown): boolean {
  if (!(error instanceof ApiFailure) || error.status !== 422) return false;
  toast.warning(reasonsOf(error).join("; "));
  return true;
}

function Reasons({ title, reasons }: { title: string; reasons: string[] }) {
  return (
    <>
      <strong>{title}</strong>
      {reasons.map((reason) => (
        <div key={reason}>{reason}</div>
      ))}
    </>
  );
}
