import { TextInput } from "@mantine/core";
import { useTranslation } from "react-i18next";
import { fieldHooks } from "../ui/forms/field-hooks.ts";

interface CodeInputProps {
  code: string;
  error: string | undefined;
  focused?: boolean;
  onChange(code: string): void;
}

/** The six digits of an authenticator app. */
export function CodeInput({ code, error, focused = false, onChange }: CodeInputProps) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("secondStep.code")}
      inputMode="numeric"
      autoComplete="one-time-code"
      maxLength={10}
      value={code}
      error={error}
      {...(focused ? { "data-autofocus": true, autoFocus: true } : {})}
      onChange={(event) => onChange(event.currentTarget.value)}
      {...fieldHooks("code")}
    />
  );
}
