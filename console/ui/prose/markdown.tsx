import { useQuery } from "@tanstack/react-query";
import { configuration } from "../../api/configuration.ts";
import { Prose } from "./prose.tsx";

/** Untrusted Markdown, without anything active. The renderer is loaded on demand. */
export function Markdown({ text, testId }: { text: string; testId: string }) {
  const { data } = useQuery({
    queryKey: ["markdown", text],
    queryFn: async () => (await (await import("./readme.ts")).renderMarkdown(text, configuration().notHtml)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Prose text={text} readme={data ?? undefined} format="markdown" testId={testId} />;
}

/** reStructuredText; shown as plain text if it does not compile. */
export function RestructuredText({ text, testId }: { text: string; testId: string }) {
  const { data } = useQuery({
    queryKey: ["rst", text],
    queryFn: async () => (await (await import("./readme.ts")).renderRst(text)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return <Prose text={text} readme={data ?? undefined} format="rst" testId={testId} />;
}
