import i18next from "i18next";
import { type Catalogue, en } from "../language/en.ts";
import { toast } from "../ui/toasts.tsx";
import { ApiFailure } from "./failure.ts";

/** What the session does about a failure; the app sets it, because signing out navigates. */
let session: { signOut(): void; refreshUser(): void } = { signOut() {}, refreshUser() {} };
export const handleFailuresBy = (handlers: typeof session): void => {
  session = handlers;
};

const isKnownCode = (code: string): code is keyof Catalogue["code"] => code in en.code;

/** The server's reasons in the reader's language; codes that nobody translated stay as they came. */
export function reasonsOf(failure: ApiFailure): string[] {
  const reasons = failure.violations.map((code) => (isKnownCode(code) ? String(i18next.t(`code.${code}`)) : code));
  return reasons.length > 0 ? reasons : [failure.message];
}

/** Tells the person what went wrong, once, and does what the session must do about it. */
export function reportFailure(error: unknown): void {
  if (!(error instanceof ApiFailure)) {
    if (error instanceof DOMException && error.name === "AbortError") return; // we cancelled it ourselves
    toast.error(error instanceof Error ? error.message : String(error));
    return;
  }
  const { status, crash } = error;
  if (status === undefined) toast.error(i18next.t("message.noAnswer"), { id: "no-answer" });
  else if (status === 401) {
    toast.error(i18next.t("message.unauthenticated"), { id: "unauthenticated" });
    session.signOut();
  } else if (status === 403) {
    toast.error(i18next.t("message.unauthorized"));
    session.refreshUser();
  } else if (status === 405 && (error.messageCode === null || error.messageCode === "method.not.allowed")) {
    toast.error(i18next.t("message.misconfigured"));
    session.signOut();
  } else if (status === 422) toast.error(<Reasons title={i18next.t("message.invalid")} reasons={reasonsOf(error)} />);
  else if (status >= 500 && crash) void import("./crash-toast.tsx").then(({ reportCrash }) => reportCrash(crash));
  else toast.error(error.message);
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
