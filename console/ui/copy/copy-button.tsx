import { IconCheck, IconCopy } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../icon-button.tsx";
import { toast } from "../toasts.tsx";

const feedbackMs = 1500;

/** Copies a text; the icon briefly confirms it. */
export function CopyButton({ text, label, testId }: { text: string; label?: string; testId?: string }) {
  const { t } = useTranslation();
  const [copied, setCopied] = useState(false);
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text);
      setCopied(true);
      setTimeout(() => setCopied(false), feedbackMs);
    } catch {
      toast.error(t("message.copyFailed")); // browsers refuse it without a secure origin
    }
  };
  return (
    <IconButton
      icon={copied ? IconCheck : IconCopy}
      label={label ?? t("action.copy")}
      hint={copied ? t("message.copied") : t("action.copy")}
      {...(testId ? { testId } : {})}
      onPress={copy}
    />
  );
}
