import DOMPurify from "dompurify";
import { compileMarkdown } from "./compile-markdown.ts";

/** A heading of a text, for its table of contents. */
export interface Heading {
  id: string;
  text: string;
  level: number;
}
export interface Readme {
  html: string;
  headings: Heading[];
}

/** The page has its own first headings. */
const lowered = 2;

/** Longer texts are compiled in a worker. Shorter ones, which are most, need not wait for one to start. */
const longestHere = 8 * 1024;

/** GitHub-flavored Markdown as HTML without anything that acts; undefined when it takes longer than any description should. */
export async function renderMarkdown(text: string, notHtml: readonly string[]): Promise<Readme | undefined> {
  const lines = withoutElements(withLineEnds(text), notHtml);
  if (lines.length > longestHere)
    return compiledInWorker(new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" }), lines);
  const html = compileMarkdown(lines);
  return html === null ? undefined : finished(html);
}

/** Older servers hand out the two characters `\n` for line ends. */
const withLineEnds = (text: string): string => (text.includes("\n") ? text : text.replaceAll("\\n", "\n"));

/** So few that even an expression that tries everything twice for each of them ends soon. */
const longestElementName = 24;

/** What only looks like elements, `<doi:10.1000/182>`, is text. */
export function withoutElements(text: string, notHtml: readonly string[]): string {
  const patterns = notHtml.flatMap((pattern) => {
    try {
      // bounded expression: the server's operator writes them, and no more than 24 characters are tried
      return [new RegExp(pattern)];
    } catch {
      return []; // a pattern of the settings that is none must not hide descriptions
    }
  });
  return text.replace(/<(\/?)([A-Za-z][^\s>]*)/g, (whole, slash: string, name: string) =>
    patterns.some((pattern) => pattern.test(name.slice(0, longestElementName))) ? `&lt;${slash}${name}` : whole,
  );
}

/** reStructuredText as HTML; undefined when it is none, or takes longer than any description should. */
export const renderRst = (text: string): Promise<Readme | undefined> =>
  compiledInWorker(new Worker(new URL("./rst-worker.ts", import.meta.url), { type: "module" }), withLineEnds(text));

const longestCompilationMs = 3000;

/** What a worker makes of a text, if it does so in time. */
async function compiledInWorker(worker: Worker, text: string): Promise<Readme | undefined> {
  try {
    const html = await new Promise<unknown>((resolve) => {
      worker.onmessage = ({ data }: MessageEvent<unknown>) => resolve(data);
      worker.onerror = () => resolve(null);
      setTimeout(() => resolve(null), longestCompilationMs);
      worker.postMessage(text);
    });
    return typeof html === "string" ? await finished(html) : undefined;
  } finally {
    worker.terminate();
  }
}

/** Sanitised, then made part of the page: headings lower and addressable, pictures as links, code coloured. */
async function finished(html: string): Promise<Readme> {
  // In a template nothing is loaded yet, not even a picture.
  const template = document.createElement("template");
  template.innerHTML = DOMPurify.sanitize(html.replaceAll('<span class="literal">', '<span data-literal="">'), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ["style", "form", "input", "button", "video", "audio", "iframe"],
    FORBID_ATTR: ["style", "class", "id"],
  });
  const body = template.content;
  const headings: Heading[] = [];
  for (const found of body.querySelectorAll("h1, h2, h3, h4, h5, h6")) {
    const level = Math.min(Number(found.tagName[1]) + lowered, 6);
    const heading = replaced(found, `h${level}`);
    heading.id = `readme-${headings.length + 1}`;
    headings.push({ id: heading.id, text: (heading.textContent ?? "").trim(), level });
  }
  // A picture from elsewhere would tell its host who reads; it is shown as the link that it is.
  for (const picture of body.querySelectorAll("img")) {
    const address = picture.getAttribute("src") ?? "";
    const link = picture.closest("a") ? document.createElement("span") : document.createElement("a");
    if (link instanceof HTMLAnchorElement) link.href = address;
    link.textContent = picture.alt || address;
    picture.replaceWith(link);
  }
  for (const link of body.querySelectorAll("a[href]")) {
    link.setAttribute("target", "_blank");
    link.setAttribute("rel", "noreferrer noopener");
  }
  for (const literal of body.querySelectorAll("span[data-literal]")) replaced(literal, "code");
  const blocks = [...body.querySelectorAll("pre")];
  // Long lines scroll, so the keyboard must reach them.
  for (const block of blocks) block.tabIndex = 0;
  if (blocks.some(({ dataset }) => dataset.language)) (await import("./color-code.ts")).colorCode(blocks);
  return { html: template.innerHTML, headings };
}

function replaced(element: Element, name: string): HTMLElement {
  const other = document.createElement(name);
  other.append(...element.childNodes);
  element.replaceWith(other);
  return other;
}
