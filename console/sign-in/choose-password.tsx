import { Button } from "@mantine/core";
import { choosePassword } from "@packhouse/contract/operations/passwords";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { signInBy } from "../api/client.ts";
import { ApiFailure } from "../api/failure.ts";
import { reasonsOf, reportFailure } from "../calls/report-failure.tsx";
import { dropToken } from "../session/stored-session.ts";
import { Form } from "../ui/forms/form.tsx";
import { toast } from "../ui/toasts.tsx";
import { NewPasswordFields, noPassword } from "./new-password-fields.tsx";
import { startSession } from "./sign-in.ts";

interface ChoosePasswordProps {
  /** From a one-time link, or from a sign-in with a password that is only valid for this. */
  token: string;
  onSignedIn(): void;
  onCancel(): void;
  /** Continues with the next step of the sign-in; false if it failed. */
  proceed(error: unknown): Promise<boolean>;
}

/** Sets a password and signs in with it. */
export function ChoosePassword({ token, onSignedIn, onCancel, proceed }: ChoosePasswordProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(noPassword);
  const [touched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const showErrors = () => {
    setTouched(true);
    setRefusal(undefined);
  };
  const submit = async () => {
    setBusy(true);
    try {
      const { password, keepAccessTokens } = value;
      const session = await signInBy(choosePassword, { token, password, keepAccessTokens });
      dropToken();
      startSession(session.token);
      onSignedIn();
    } catch (error) {
      await fail(error).catch(reportFailure);
      setBusy(false);
    }
  };
  const fail = async (error: unknown): Promise<void> => {
    if (isStep(error) && (await proceed(error))) return;
    const status = error instanceof ApiFailure ? error.status : undefined;
    if (error instanceof ApiFailure && status === 422) setRefusal(reasonsOf(error).join("; "));
    else if (status === 401) {
      toast.error(t("password.linkInvalid"), { title: t("session.failedTitle") });
      onCancel();
    } else reportFailure(error);
  };
  return (
    <Form onAttempt={showErrors} onSubmit={submit} data-testid="form-choosePassword">
      <p style={{ margin: 0 }}>{t("password.choose")}</p>
      <NewPasswordFields
        value={value}
        touched={touched}
        refusal={refusal}
        onChange={(changed) => {
          setRefusal(undefined);
          setValue(changed);
        }}
      />
      <Button type="submit" size="md" loading={busy} data-testid="password-submit">
        {t("password.setAndSignIn")}
      </Button>
      <Button variant="subtle" onClick={onCancel} data-testid="password-cancel">
        {t("action.cancel")}
      </Button>
    </Form>
  );
}

/** The password is set; the sign-in continues with a second factor. */
const isStep = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.messageCode ?? "").startsWith("second.factor.");
