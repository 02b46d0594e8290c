import "@mantine/core/styles/Checkbox.layer.css";
import "@mantine/core/styles/InlineInput.layer.css";
import { Button } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiFailure } from "../api/failure.ts";
import { reasonsOf, reportFailure } from "../calls/report-failure.tsx";
import formStyles from "../ui/styles/form.module.css";
import { toast } from "../ui/toasts.tsx";
import { NewPasswordFields, noPassword } from "./new-password-fields.tsx";
import { signInByNewPassword } from "./sign-in.ts";

interface ChoosePasswordProps {
  /** Of a one-time link, or of a sign-in with a password that is only good for this. */
  token: string;
  onSignedIn(): void;
  onCancel(): void;
  /** Goes on with what the sign-in still needs; false: it has failed. */
  proceed(error: unknown): Promise<boolean>;
}

/** Sets a password and signs in with it. */
export function ChoosePassword({ token, onSignedIn, onCancel, proceed }: ChoosePasswordProps) {
  const { t } = useTranslation();
  const [value, setValue] = useState(noPassword);
  const [touched, setTouched] = useState(false);
  const [refusal, setRefusal] = useState<string>();
  const [busy, setBusy] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setTouched(true);
    if (value.password === "" || value.password !== value.again) return;
    setBusy(true);
    try {
      await signInByNewPassword(token, value);
      toast.success(t("password.changed"));
      onSignedIn();
    } catch (error) {
      if (isStep(error) && (await proceed(error))) return;
      const status = error instanceof ApiFailure ? error.status : undefined;
      if (error instanceof ApiFailure && status === 422) setRefusal(reasonsOf(error).join("; "));
      else if (status === 401) {
        toast.error(t("password.linkOver"), { title: t("session.failedTitle") });
        onCancel();
      } else reportFailure(error);
      setBusy(false);
    }
  };
  return (
    <form className={formStyles.form} onSubmit={submit} noValidate data-testid="form-choosePassword">
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
    </form>
  );
}

/** The password is set; the sign-in goes on with a second factor. */
const isStep = (error: unknown): boolean =>
  error instanceof ApiFailure && (error.messageCode ?? "").startsWith("second.factor.");
