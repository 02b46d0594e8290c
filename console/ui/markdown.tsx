import { useQuery } from "@tanstack/react-query";

/** Markdown that somebody else wrote, without anything that acts. The renderer is loaded when there is something to render. */
export function Markdown({ text, testId }: { text: string; testId: string }) {
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
