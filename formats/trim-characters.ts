/**
 * `text` without the run of `character` at its end. An expression such as `/\/+$/` would be tried from each slash again, and
 * takes minutes for a text of slashes.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** The same for the run at its start. */
export function withoutLeading(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start += 1;
  return text.slice(start);
}
