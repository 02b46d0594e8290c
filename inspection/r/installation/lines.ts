export const longestLine = 20_000;
const mostCharacters = 4_000_000;

export interface ReadLines {
  lines: { index: number; line: string }[];
  /** A line, or the text, was too long. */
  isCut: boolean;
}

/** Lines without comments and the blanks around them; a `\` joins a line with the next one, unless it ends a comment. */
export function linesOf(text: string, endsInComment: (line: string) => boolean): ReadLines {
  const lines: ReadLines["lines"] = [];
  let isCut = text.length > mostCharacters;
  let joined = "";
  let start = 0;
  const end = () => {
    if (joined.trim() !== "" && !joined.trimStart().startsWith("#")) lines.push({ index: start, line: joined });
    joined = "";
  };
  let index = 0;
  for (let at = 0; at < Math.min(text.length, mostCharacters); index += 1) {
    const newline = text.indexOf("\n", at);
    const stop = newline === -1 ? text.length : newline;
    const line = text.slice(at, stop).trimEnd();
    at = stop + 1;
    if (joined === "") start = index;
    const room = longestLine - joined.length;
    if (line.length > room) isCut = true;
    const whole = joined + line.slice(0, room);
    const isJoined = line.endsWith("\\") && line.length <= room && !endsInComment(whole);
    joined = isJoined ? `${whole.slice(0, -1)} ` : whole;
    if (!isJoined) end();
  }
  end();
  return { lines, isCut };
}

/** Where a comment begins in a line for the shell. */
export function commentOf(line: string): number | undefined {
  if (!line.includes("#")) return undefined;
  let quote = "";
  for (let at = 0; at < line.length; at++) {
    const character = line[at] ?? "";
    if (character === "\\" && quote !== "'") at += 1;
    else if (character === quote) quote = "";
    else if (quote === "" && (character === '"' || character === "'")) quote = character;
    else if (quote === "" && character === "#" && (at === 0 || " \t;".includes(line[at - 1] ?? ""))) return at;
  }
  return undefined;
}
