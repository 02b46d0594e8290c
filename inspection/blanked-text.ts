export interface Part {
  start: number;
  end: number;
}

/** The text with blanks for what is not in these parts, so that places and lines keep their numbers. */
export function onlyParts(text: string, parts: readonly Part[]): string {
  const pieces: string[] = [];
  let at = 0;
  for (const { start, end } of parts) {
    pieces.push(blank(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  pieces.push(blank(text.slice(at)));
  return pieces.join("");
}

const blank = (text: string): string => text.replace(/[^\n]/g, " ");
