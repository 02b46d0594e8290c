import { Button, PasswordInput, TextInput, useMantineColorScheme } from "@mantine/core";
import i18next from "i18next";
import { type FormEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { configuration } from "../api/configuration.ts";
import { ApiFailure } from "../api/failure.ts";
import { reportFailure } from "../api/report-failure.tsx";
import { LogoPicture } from "../app/logo.tsx";
import { TopBar } from "../app/top-bar.tsx";
import { fieldHooks } from "../ui/field-hooks.ts";
import { toast } from "../ui/toasts.tsx";
import { nextStep } from "./next-step.ts";
import { signIn, startSession } from "./sign-in.ts";
import { takeRememberedAddress } from "./stored-session.ts";

interface LoginScreenProps {
  /** The identity provider sent somebody back whom it did not sign in. */
  failed?: boolean;
  /** Told where the person wanted to go before, if anywhere. */
  onSignedIn(wanted: string | null): void;
}

export function LoginScreen({ failed = false, onSignedIn }: LoginScreenProps) {
  const { t } = useTranslation();
  const { setColorScheme } = useMantineColorScheme();
  const { simple, oidc } = configuration();
  const [stepped, setStepped] = useState(false);
  useEffect(() => {
    if (failed) tellProviderFailure();
  }, [failed]);
  return (
    <>
      <TopBar onTheme={setColorScheme} />
      <main id="main" className="ph-login" data-testid="screen-login">
        <div className="ph-card ph-login-card">
          <div style={{ display: "grid", justifyItems: "center", gap: 8, textAlign: "center" }}>
            <LogoPicture logo={configuration().largeLogo} markSize={56} />
            <h1 style={{ margin: 0 }}>{configuration().title}</h1>
            <span className="ph-muted">{t("session.lead")}</span>
          </div>
          {simple && <LoginForm onSignedIn={onSignedIn} onStep={setStepped} />}
          {simple && oidc && !stepped && <div className="ph-or">{t("session.or")}</div>}
          {oidc && !stepped && <ProviderButton alone={!simple} />}
          {!simple && !oidc && <p className="ph-muted">{t("session.noMethod")}</p>}
        </div>
      </main>
    </>
  );
}

const tellProviderFailure = () =>
  toast.error(i18next.t("session.providerFailed"), { title: i18next.t("session.providerFailedTitle") });

function ProviderButton({ alone }: { alone: boolean }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const leave = async () => {
    setBusy(true);
    try {
      const { signInAtProvider } = await import("./provider.ts");
      await signInAtProvider();
    } catch (error) {
      console.error(error);
      tellProviderFailure();
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

interface LoginFormProps extends Pick<LoginScreenProps, "onSignedIn"> {
  /** Told whether the sign-in is past its password. */
  onStep(stepped: boolean): void;
}

function LoginForm({ onSignedIn, onStep }: LoginFormProps) {
  const { t } = useTranslation();
  const passwordField = useRef<HTMLInputElement>(null);
  const [login, setLogin] = useState("");
  const [password, setPassword] = useState("");
  const [touched, setTouched] = useState(false);
  const [busy, setBusy] = useState(false);
  const [step, setStep] = useState<ReactNode>();

  const done = () => {
    toast.success(t("session.loginOk"));
    onSignedIn(takeRememberedAddress());
  };
  const show = (next: ReactNode | undefined) => {
    setStep(next);
    onStep(next !== undefined);
  };
  const startOver = (why?: string) => {
    show(undefined);
    if (why) toast.error(why, { title: t("session.failedTitle") });
  };
  const fail = async (error: unknown): Promise<void> => {
    setPassword("");
    setTouched(false);
    try {
      const next = await nextStep(error, {
        onToken: (token) => {
          startSession(token);
          done();
        },
        onBack: startOver,
        onFailure: (failure) => void fail(failure),
      });
      show(next);
      if (next !== undefined) return;
      const status = error instanceof ApiFailure ? error.status : undefined;
      if (status === 401) toast.error(t("session.failed"), { title: t("session.failedTitle") });
      else if (status === 429) toast.error(t("session.tooMany"), { title: t("session.failedTitle") });
      else reportFailure(error);
      passwordField.current?.focus();
    } catch (failure) {
      reportFailure(failure);
    }
  };
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (login === "" || password === "") return;
    setBusy(true);
    try {
      await signIn(login, password);
      done();
    } catch (error) {
      await fail(error);
    } finally {
      setBusy(false);
    }
  };
  if (step !== undefined) return step;
  return (
    <form className="ph-form" onSubmit={submit} noValidate>
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
      <PasswordInput
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
    </form>
  );
}
