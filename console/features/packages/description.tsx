import { useTranslation } from "react-i18next";
import { flowingText } from "../../ui/prose/flowing-text.ts";
import { Markdown, RestructuredText } from "../../ui/prose/markdown.tsx";
import proseStyles from "../../ui/prose/prose.module.css";
import textStyles from "../../ui/styles/text.module.css";

interface DescriptionProps {
  text: string | null;
  contentType: string;
  testId: string;
}

/** A description according to its type: Markdown and reStructuredText rendered and sanitized, plain text unchanged. */
export function Description({ text, contentType, testId }: DescriptionProps) {
  const { t } = useTranslation();
  if (!text) return <p className={textStyles.muted}>{t("package.noDescription")}</p>;
  const type = contentType.split(";")[0]?.trim();
  if (type === "text/markdown") return <Markdown text={text} testId={testId} />;
  if (type !== "text/plain" && type !== "txt") return <RestructuredText text={text} testId={testId} />;
  return (
    <div className={`${proseStyles.prose} ${proseStyles.plain}`} data-format="plain" data-testid={testId}>
      {type === "txt" ? flowingText(text) : text}
    </div>
  );
}
