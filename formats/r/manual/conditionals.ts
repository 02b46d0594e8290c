/**
 * Text without the lines excluded by `#ifdef` and `#ifndef` ("Writing R Extensions", 2.12) and these directives.
 * R only defines the platform; manuals are rendered for unix.
 */
export function takeConditionalLines(text: string): string {
  if (!/^#(?:ifdef|ifndef|endif)/m.test(text)) return text;
  const open: boolean[] = [];
  let closedBy = 0;
  return text
    .split("\n")
    .filter((line) => {
      const [, directive, name] = /^#(ifdef|ifndef|endif)\b[ \t]*([^\s%]*)/.exec(line) ?? [];
      if (directive === undefined) return closedBy === 0;
      if (directive === "endif") {
        if (open.pop() === false) closedBy -= 1;
      } else {
        const holds = (name === "unix") === (directive === "ifdef");
        open.push(holds);
        if (!holds) closedBy += 1;
      }
      return false;
    })
    .join("\n");
}
