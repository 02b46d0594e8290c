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

/** The page has its own top-level headings. */
const lowered = 2;

/** Longer texts are compiled in a worker. Shorter ones, which are most, need not wait for it to start. */
const longestHere = 8 * 1024;

/** GitHub-flavored Markdown as inactive HTML; undefined if it takes longer than any description should. */
export async function renderMarkdown(text: string, notHtml: readonly string[]): Promise<Readme | undefined> {
  const lines = withoutElements(withLineEnds(text), notHtml);
  if (lines.length > longestHere)
    return compiledInWorker(new Worker(new URL("./markdown-worker.ts", import.meta.url), { type: "module" }), lines);
  const html = compileMarkdown(lines);
  return html === null ? undefined : finished(html);
}

/** Older servers send the two characters `\n` for line ends. */
const withLineEnds = (text: string): string => (text.includes("\n") ? text : text.replaceAll("\\n", "\n"));

/** So few that even a pattern with exponential backtracking finishes quickly. */
const longestElementName = 24;

/** What only looks like an element, `<doi:10.1000/182>`, is text. */
export function withoutElements(text: string, notHtml: readonly string[]): string {
  const patterns = notHtml.flatMap((pattern) => {
    try {
      // bounded expression: the server's operator writes them, and no more than 24 characters are tried
      return [new RegExp(pattern)];
    } catch {
      return []; // an invalid pattern in the settings must not hide descriptions
    }
  });
  return text.replace(/<(\/?)([A-Za-z][^\s>]*)/g, (whole, slash: string, name: string) =>
    patterns.some((pattern) => pattern.test(name.slice(0, longestElementName))) ? `&lt;${slash}${name}` : whole,
  );
}

/** reStructuredText as HTML; undefined if it is invalid, or takes longer than any description should. */
export const renderRst = (text: string): Promise<Readme | undefined> =>
  compiledInWorker(new Worker(new URL("./rst-worker.ts", import.meta.url), { type: "module" }), withLineEnds(text));

const longestCompilationMs = 3000;

/** The result of a worker, if it finishes in time. */
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

/** Sanitized, then adapted to the page: headings lower and addressable, images as links, code highlighted. */
async function finished(html: string): Promise<Readme> {
  // In a template, nothing is loaded yet, not even an image.
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
  // An external image would reveal the reader to its host; it is shown as a link instead.
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
  // Long lines scroll, so they must be reachable by keyboard.
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
