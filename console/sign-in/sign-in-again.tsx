import "./texts.ts";
import { Button, Modal, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { reportFailure } from "../calls/report-failure.tsx";
import type { SignInOutcome } from "../session/provider.ts";
import { declineSignIn, resumeSession } from "../session/session-pause.ts";
import { isByProvider, storeToken } from "../session/stored-session.ts";
import { useOwnUser } from "../session/use-session.ts";
import dialogStyles from "../ui/dialogs/dialog.module.css";
import { Form } from "../ui/forms/form.tsx";
import { CurrentPasswordField } from "../ui/forms/password-field.tsx";
import buttonStyles from "../ui/styles/button.module.css";
import formStyles from "../ui/styles/form.module.css";
import textStyles from "../ui/styles/text.module.css";
import { nextStep } from "./next-step.ts";
import { signInAgain } from "./sign-in.ts";

type Refusal = Exclude<SignInOutcome, "signedIn"> | "popupClosed";

/** Above other dialogs, which keep their input. */
const aboveDialogs = 500;
/** Keeps Escape from closing the dialog below. */
const noEscape = { "data-mantine-stop-propagation": "true" };

interface SignInAgainProps {
  /** Nothing works until then; otherwise the dialog can be closed. */
  over: boolean;
  onLeave(): void;
}

/** Signs the same user in again, on top of the unchanged page. */
export function SignInAgain({ over, onLeave }: SignInAgainProps) {
  const { t } = useTranslation();
  const user = useOwnUser();
  const queries = useQueryClient();
  const goOn = () => {
    resumeSession();
    void queries.invalidateQueries();
  };
  return (
    <Modal.Root opened onClose={declineSignIn} closeOnEscape={false} closeOnClickOutside={!over} zIndex={aboveDialogs}>
      {/* Hides the page: another person at the computer must not read on. */}
      <Modal.Overlay backgroundOpacity={over ? 0.9 : 0.7} blur={over ? 12 : 0} />
      <Modal.Content data-testid="dialog-signInAgain">
        <div className={dialogStyles.head}>
          <Modal.Title>{over ? t("session.endedTitle") : t("session.stay")}</Modal.Title>
          {!over && <Modal.CloseButton aria-label={t("action.close")} />}
        </div>
        <Modal.Body className={formStyles.form}>
          <p style={{ margin: 0 }}>{t("session.again", { name: user.name })}</p>
          {isByProvider() ? (
            <AtProvider name={user.name} onDone={goOn} />
          ) : (
            <ByPassword login={user.login} onDone={goOn} />
          )}
          <Button variant="subtle" onClick={onLeave} data-testid="sign-out-instead" {...noEscape}>
            {t("session.signOut")}
          </Button>
        </Modal.Body>
      </Modal.Content>
    </Modal.Root>
  );
}

function ByPassword({ login, onDone }: { login: string; onDone(): void }) {
  const { t } = useTranslation();
  const [password, setPassword] = useState("");
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<ReactNode>();
  const submit = async () => {
    setBusy(true);
    try {
      await signInAgain(login, password);
      onDone();
    } catch (error) {
      await fail(error);
    }
  };
  const fail = async (error: unknown): Promise<void> => {
    setPassword("");
    setBusy(false);
    try {
      const next = await nextStep(error, {
        onToken: (token) => {
          storeToken(token);
          onDone();
        },
        onBack: (why) => {
          setStep(undefined);
          setRefusal(why);
        },
        onFailure: (failure) => void fail(failure),
      });
      setStep(next);
      if (next !== undefined) return;
      const status = error instanceof ApiFailure ? error.status : undefined;
      if (status === 401) setRefusal(t("session.failed"));
      else if (status === 429) setRefusal(t("session.tooMany"));
      else reportFailure(error);
    } catch (failure) {
      reportFailure(failure);
    }
  };
  if (step !== undefined) return step;
  const type = (typed: string) => {
    setRefusal(undefined);
    setPassword(typed);
  };
  return (
    <Form onAttempt={() => setRefusal(password === "" ? t("session.passwordRequired") : undefined)} onSubmit={submit}>
      <TextInput label={t("session.login")} autoComplete="username" readOnly value={login} {...noEscape} />
      <CurrentPasswordField value={password} refusal={refusal} onType={type} {...noEscape} />
      <Button type="submit" loading={busy} data-testid="login-submit" {...noEscape}>
        {t("session.signIn")}
      </Button>
    </Form>
  );
}

function AtProvider({ name, onDone }: { name: string; onDone(): void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<Refusal>();
  const attempt = useRef<AbortController>(undefined);
  // Browsers only allow opening windows shortly after a click: the client must be loaded by then.
  useEffect(() => {
    void import("../session/provider.ts");
    return () => attempt.current?.abort();
  }, []);
  const signIn = async () => {
    attempt.current?.abort();
    const controller = new AbortController();
    attempt.current = controller;
    setBusy(true);
    setRefusal(undefined);
    const { signInOverPage } = await import("../session/provider.ts");
    const report = (refusal: Refusal) => {
      if (controller.signal.aborted) return;
      setBusy(false);
      setRefusal(refusal);
    };
    // A different user would be the same again.
    const outcome = await signInOverPage(refusal === "otherUser", controller.signal, () => report("popupClosed"));
    if (outcome === "signedIn") onDone();
    else report(outcome);
  };
  const signInOnThisPage = async () => {
    const { signInAtProvider } = await import("../session/provider.ts");
    await signInAtProvider();
  };
  return (
    <>
      <Button loading={busy} data-autofocus onClick={() => void signIn()} data-testid="login-provider" {...noEscape}>
        {t("session.provider")}
      </Button>
      {refusal && (
        <div role="alert" className={textStyles.bad}>
          {t(`signInRefused.${refusal}`, { name })}{" "}
          <button
            type="button"
            className={buttonStyles.linkButton}
            onClick={() => void signInOnThisPage()}
            {...noEscape}
          >
            {t("session.onThisPage")}
          </button>
        </div>
      )}
    </>
  );
}
