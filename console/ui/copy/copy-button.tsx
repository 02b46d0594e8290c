import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../icon-button.tsx";
import { useCopier } from "./copy-text.ts";

interface CopyButtonProps {
  text: string;
  label?: string;
  testId?: string;
  /** Without a toast. */
  quiet?: boolean;
}

/** Copies a text; its icon and its name confirm it until something else is copied. */
export function CopyButton({ text, label, testId, quiet }: CopyButtonProps) {
  const { t } = useTranslation();
  const { copied, copy } = useCopier(quiet);
  const name = label ?? t("action.copy");
  return (
    <IconButton
      icon={copied ? IconCheck : IconCopy}
      label={copied ? `${name} – ${t("message.copied")}` : name}
      hint={copied ? t("message.copied") : t("action.copy")}
      {...(testId ? { testId } : {})}
      onPress={() => copy(text)}
    />
  );
}
