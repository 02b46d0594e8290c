import { PasswordInput, type PasswordInputProps } from "@mantine/core";
import { useTranslation } from "react-i18next";

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
