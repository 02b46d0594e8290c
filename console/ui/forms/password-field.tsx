import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldHooks } from "./field-hooks.ts";

/**
 * Mantine's field does not state its error to screen readers, and forms look for the first field that does. The button
 * that shows the password would be an English one that no key reaches.
 */
export function PasswordField(props: PasswordInputProps) {
  const { t } = useTranslation();
  return (
    <PasswordInput
      visibilityToggleFocusable
      visibilityToggleButtonProps={{ "aria-label": t("session.showPassword") }}
      {...props}
      aria-invalid={props.error ? true : undefined}
    />
  );
}

interface CurrentPasswordFieldProps extends Omit<PasswordInputProps, "value" | "error" | "onChange"> {
  value: string;
  /** Why it was refused, until something else is typed. */
  refusal: string | undefined;
  onType(password: string): void;
}

/** Asks users for the password that they have. */
export function CurrentPasswordField({ refusal, onType, ...others }: CurrentPasswordFieldProps) {
  const { t } = useTranslation();
  return (
    <PasswordField
      label={t("session.password")}
      autoComplete="current-password"
      data-autofocus
      error={refusal}
      onChange={(event) => onType(event.currentTarget.value)}
      {...fieldHooks("password")}
      {...others}
    />
  );
}
