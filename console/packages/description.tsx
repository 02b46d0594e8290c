import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";

interface DescriptionProps {
  text: string | null;
  contentType: string;
  testId: string;
}

/** A description as its type says: Markdown rendered and sanitised, all else as the text that it is. */
export function Description({ text, contentType, testId }: DescriptionProps) {
  const { t } = useTranslation();
  if (!text) return <p className="ph-muted">{t("package.noDescription")}</p>;
  const type = contentType.split(";")[0]?.trim();
  if (type === "text/markdown") return <Markdown text={text} testId={testId} />;
  const format = type === "text/plain" || type === "txt" ? "plain" : "rst";
  return (
    <div className="ph-prose ph-plain" data-format={format} data-testid={testId}>
      {text}
    </div>
  );
}

/** The renderer is loaded when there is something to render. */
function Markdown({ text, testId }: { text: string; testId: string }) {
  const { data } = useQuery({
    queryKey: ["markdown", text],
    queryFn: async () => (await import("./render-markdown.ts")).renderMarkdown(text),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (data === undefined) return <div className="ph-prose ph-plain">{text}</div>;
  return (
    <div
      className="ph-prose"
      data-format="markdown"
      data-testid={testId}
      // biome-ignore lint/security/noDangerouslySetInnerHtml: renderMarkdown sanitises
      dangerouslySetInnerHTML={{ __html: data }}
    />
  );
}
