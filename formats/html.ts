/** Markup that we generate. Text from a package only becomes part of it through `html`, which escapes it. */
export class Html {
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }
}

type Part = Html | string | number | readonly Html[];

/** A template that escapes the strings it interpolates, both in text and in quoted attributes. */
export function html(markup: TemplateStringsArray, ...parts: readonly Part[]): Html {
  return new Html(markup.map((text, index) => text + sourceOf(parts[index] ?? "")).join(""));
}

export const nothing = new Html("");

export const joined = (parts: readonly Html[]): Html => new Html(parts.map((part) => part.source).join(""));

function sourceOf(part: Part): string {
  if (part instanceof Html) return part.source;
  return Array.isArray(part) ? joined(part).source : escaped(String(part));
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escaped = (text: string): string =>
  text
    // HTML does not allow other control characters.
    .replace(/(?![\t\n\r])\p{Cc}/gu, "")
    .replace(/[&<>"']/g, (character) => entities[character] ?? "");
