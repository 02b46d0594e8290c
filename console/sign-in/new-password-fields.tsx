import "./texts.ts";
import { useTranslation } from "react-i18next";
import { Checkbox } from "../ui/forms/checkbox.tsx";
import { fieldHooks } from "../ui/forms/field-hooks.ts";
import { PasswordField } from "../ui/forms/password-field.tsx";

/** A new password, twice, and whether the access tokens stay valid. */
export interface NewPassword {
  password: string;
  again: string;
  keepAccessTokens: boolean;
}

export const noPassword: NewPassword = { password: "", again: "", keepAccessTokens: false };

interface NewPasswordFieldsProps {
  value: NewPassword;
  /** Whether the user has tried to submit the form. */
  touched: boolean;
  /** Why the server refuses the password. */
  refusal: string | undefined;
  onChange(value: NewPassword): void;
}

export function NewPasswordFields({ value, touched, refusal, onChange }: NewPasswordFieldsProps) {
  const { t } = useTranslation();
  const { password, again, keepAccessTokens } = value;
  return (
    <>
      <PasswordField
        label={t("password.new")}
        description={t("password.newHint")}
        autoComplete="new-password"
        value={password}
        error={touched && password === "" ? t("message.required") : refusal}
        onChange={(event) => onChange({ ...value, password: event.currentTarget.value })}
        {...fieldHooks("newPassword")}
      />
      <PasswordField
        label={t("password.again")}
        autoComplete="new-password"
        value={again}
        error={touched && password !== again ? t("password.differs") : undefined}
        onChange={(event) => onChange({ ...value, again: event.currentTarget.value })}
        {...fieldHooks("againPassword")}
      />
      <Checkbox
        label={t("password.endTokens")}
        checked={!keepAccessTokens}
        onChange={(checked) => onChange({ ...value, keepAccessTokens: !checked })}
        data-testid="field-endTokens"
      />
    </>
  );
}
