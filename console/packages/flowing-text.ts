/**
 * A description of an R package as text to read. In a DESCRIPTION file line ends are only where the line was full;
 * blank lines part paragraphs. Older servers hand out the two characters `\n` instead: after a full stop they break the line.
 */
export const flowingText = (text: string): string =>
  text
    .split(/\r?\n\s*\n/)
    .map((paragraph) =>
      paragraph
        .replace(/\s*\r?\n\s*/g, " ")
        .replace(/\.\s*\\n\s*/g, ".\n")
        .replace(/\s*\\n\s*/g, " ")
        .trim(),
    )
    .join("\n\n");
