/**
 * `text` without trailing occurrences of `character`. A pattern such as `/\/+$/` would be tried at each slash again,
 * and take minutes for a text of slashes.
 */
export function withoutTrailing(text: string, character: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === character) end -= 1;
  return text.slice(0, end);
}

/** Removes leading occurrences. */
export function withoutLeading(text: string, character: string): string {
  let start = 0;
  while (start < text.length && text[start] === character) start += 1;
  return text.slice(start);
}
