/**
 * A description of an R package as text to read. In a DESCRIPTION file line ends are only where the line was full;
 * blank lines part paragraphs. Older servers hand out the two characters `\n` instead: after a full stop they break the line.
 */
export const flowingText = (text: string): string =>
  text
    .split(/\r?\n\s*\n/)
    .map(flowingParagraph)
    .join("\n\n");

function flowingParagraph(paragraph: string): string {
  const line = pieces(paragraph, "\n").join(" ");
  return pieces(line, "\\n").reduce(
    ({ text, last }, piece) => {
      const between = last === "" ? "" : last.endsWith(".") ? "\n" : " ";
      return { text: text + between + piece, last: piece };
    },
    { text: "", last: "" },
  ).text;
}

const pieces = (text: string, separator: string): string[] =>
  text
    .split(separator)
    .map((piece) => piece.trim())
    .filter(Boolean);
