/**
 * Text without the lines that `#ifdef` and `#ifndef` leave out ("Writing R Extensions", 2.12), and without these directives.
 * The one thing that R defines is the platform; a manual is made for unix.
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
