import { Marked } from "marked";

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    code({ text, lang }) {
      const language = /^[\w+-]+/.exec(lang ?? "")?.[0];
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return `<pre${language ? ` data-language="${language}"` : ""}><code>${escaped}</code></pre>`;
    },
  },
});

/** GitHub-flavored Markdown as HTML that is not sanitized yet; null if it is nested deeper than any stack. */
export function compileMarkdown(text: string): string | null {
  try {
    return marked.parse(text, { async: false });
  } catch {
    return null; // the caller shows the plain text
  }
}
