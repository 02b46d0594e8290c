/** Text of users as one line of bounded length, without control characters and without those that turn its direction. */
export function oneLine(text: string, longest: number): string {
  const line = text.replace(/[\p{C}\s]+/gu, " ").trim();
  return line.length > longest ? `${line.slice(0, longest).toWellFormed().trimEnd()}…` : line;
}
