/**
 * An R package's description as text to read. In a DESCRIPTION file, line ends are just wrapping; blank lines separate
 * paragraphs. Older servers send the two characters `\n` instead, which break the line after a full stop.
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
