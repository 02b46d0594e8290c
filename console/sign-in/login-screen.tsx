import { Button, TextInput } from "@mantine/core";
import { signInContinuation } from "@packhouse/contract/login";
import i18next from "i18next";
import { type ReactNode, Suspense, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { ApiFailure } from "../api/failure.ts";
import { reportFailure } from "../calls/report-failure.tsx";
import { takeRememberedAddress } from "../session/stored-session.ts";
import { fieldHooks } from "../ui/forms/field-hooks.ts";
import { Form } from "../ui/forms/form.tsx";
import { PasswordField } from "../ui/forms/password-field.tsx";
import { lazyWithRetry } from "../ui/loading/lazy-with-retry.ts";
import textStyles from "../ui/styles/text.module.css";
import { toast } from "../ui/toasts.tsx";
import styles from "./login-screen.module.css";
import { nextStep } from "./next-step.ts";
import { onPasswordLink } from "./password-link.ts";
import { signIn, startSession } from "./sign-in.ts";
import { SignInFrame } from "./sign-in-frame.tsx";

interface LoginScreenProps {
  /** The identity provider redirected a user back without signing them in. */
  failed?: boolean;
  /** From a one-time link in the address. */
  passwordToken?: string | undefined;
  /** Receives where the user wanted to go before, if anywhere, and what to tell them there. */
  onSignedIn(wanted: string | null, success: string): void;
}

const ChoosePassword = lazyWithRetry(() => import("./choose-password.tsx").then((it) => it.ChoosePassword));

/** Continues the sign-in with a new password if the server requires one. */
function continuationOf(error: unknown): string | undefined {
  if (!(error instanceof ApiFailure) || error.messageCode !== "password.change.required") return undefined;
  return signInContinuation.safeParse(error.data).data?.continuation;
}

export function LoginScreen({ failed = false, passwordToken, onSignedIn }: LoginScreenProps) {
  const { t } = useTranslation();
  const { simple, oidc } = configuration();
  const [choosing, setChoosing] = useState(passwordToken);
  const [step, setStep] = useState<ReactNode>();
  const done = () => {
    onSignedIn(takeRememberedAddress(), t("session.loginOk"));
  };
  /** Continues with the next step of the sign-in; false if it failed. */
  const proceed = async (error: unknown): Promise<boolean> => {
    const continuation = continuationOf(error);
    const next =
      continuation === undefined
        ? await nextStep(error, {
            onToken(token) {
              startSession(token);
              done();
            },
            onBack(why) {
              setStep(undefined);
              if (why) toast.error(why, { title: t("session.failedTitle") });
            },
            onFailure: (failure) => void proceedOrReport(failure),
          })
        : undefined;
    setChoosing(continuation);
    setStep(next);
    return continuation !== undefined || next !== undefined;
  };
  const proceedOrReport = async (error: unknown): Promise<void> => {
    try {
      if (!(await proceed(error))) reportSignInFailure(error);
    } catch (failure) {
      reportFailure(failure);
    }
  };
  useEffect(() => {
    if (failed) showProviderFailure();
  }, [failed]);
  useEffect(() => onPasswordLink(setChoosing), []);
  return (
    <SignInFrame testId="screen-login" lead={t("session.lead")}>
      {choosing !== undefined ? (
        <Suspense fallback={null}>
          <ChoosePassword
            key={choosing}
            token={choosing}
            onSignedIn={() => onSignedIn(takeRememberedAddress(), t("password.changed"))}
            onCancel={() => setChoosing(undefined)}
            proceed={proceed}
          />
        </Suspense>
      ) : (
        (step ?? (
          <>
            {simple && <LoginForm onSignedIn={done} onFailure={proceedOrReport} />}
            {simple && oidc && <div className={styles.or}>{t("session.or")}</div>}
            {oidc && <ProviderButton alone={!simple} />}
            {!simple && !oidc && <p className={textStyles.muted}>{t("session.noMethod")}</p>}
          </>
        ))
      )}
    </SignInFrame>
  );
}

const showProviderFailure = () =>
  toast.error(i18next.t("session.providerFailed"), { title: i18next.t("session.providerFailedTitle") });

function ProviderButton({ alone }: { alone: boolean }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      const { signInAtProvider } = await import("../session/provider.ts");
      await signInAtProvider();
    } catch (error) {
      console.error(error);
      showProviderFailure();
      setBusy(false);
    }
  };
  return (
    <Button
      size="md"
      fullWidth
      variant={alone ? "filled" : "default"}
      loading={busy}
      onClick={() => void leave()}
      data-testid="login-provider"
    >
      {t("session.provider")}
    </Button>
  );
}

function reportSignInFailure(error: unknown): void {
  const status = error instanceof ApiFailure ? error.status : undefined;
  const title = i18next.t("session.failedTitle");
  if (status === 401) toast.error(i18next.t("session.failed"), { title });
  else if (status === 429) toast.error(i18next.t("session.tooMany"), { title });
  else reportFailure(error);
}

interface LoginFormProps {
  onSignedIn(): void;
  /** Continues with the next step of the sign-in, or shows what went wrong. */
  onFailure(error: unknown): Promise<void>;
}

function LoginForm({ onSignedIn, onFailure }: LoginFormProps) {
  const { t } = useTranslation();
  const passwordField = useRef<HTMLInputElement>(null);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);

  const submit = async () => {
    setBusy(true);
    try {
      await signIn(login, password);
      onSignedIn();
    } catch (error) {
      setPassword("");
      setTouched(false);
      await onFailure(error);
      passwordField.current?.focus();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Form onAttempt={() => setTouched(true)} onSubmit={submit}>
      <TextInput
        size="md"
        label={t("session.login")}
        autoComplete="username"
        data-autofocus
        autoFocus
        value={login}
        error={touched && login === "" ? t("session.loginRequired") : undefined}
        onChange={(event) => setLogin(event.currentTarget.value)}
        {...fieldHooks("login")}
      />
      <PasswordField
        ref={passwordField}
        size="md"
        label={t("session.password")}
        autoComplete="current-password"
        value={password}
        error={touched && password === "" ? t("session.passwordRequired") : undefined}
        onChange={(event) => setPassword(event.currentTarget.value)}
        {...fieldHooks("password")}
      />
      <Button type="submit" size="md" loading={busy} data-testid="login-submit">
        {t("session.signIn")}
      </Button>
    </Form>
  );
}
