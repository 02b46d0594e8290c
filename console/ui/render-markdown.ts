import DOMPurify from "dompurify";
import { Marked } from "marked";

const lowered = 2;

const marked = new Marked({
  gfm: true,
  breaks: true,
  renderer: {
    // The page has its own first headings.
    heading({ tokens, depth }) {
      const level = Math.min(depth + lowered, 6);
      return `<h${level}>${this.parser.parseInline(tokens)}</h${level}>`;
    },
    // Long lines scroll, so the keyboard must reach them.
    code({ text, lang }) {
      const language = /^[\w+-]+/.exec(lang ?? "")?.[0];
      const escaped = text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
      return `<pre tabindex="0"${language ? ` data-language="${language}"` : ""}><code>${escaped}</code></pre>`;
    },
    // A picture from elsewhere would tell its host who reads; it is shown as the link that it is.
    image({ href, text }) {
      return `<a href="${encodeURI(href)}">${text || href}</a>`;
    },
  },
});

/** GitHub-flavoured Markdown as HTML without scripts, handlers, frames and remote pictures. */
export function renderMarkdown(text: string): string {
  const html = marked.parse(text, { async: false });
  return DOMPurify.sanitize(html, {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "img", "video", "audio", "iframe"],
    FORBID_ATTR: ["style", "class", "id"],
  });
}
