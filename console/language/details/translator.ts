/** The texts that stand for `{}` in a template; undefined if the sentence does not follow it. */
function partsOf(template: string, sentence: string): string[] | undefined {
  const [start = "", ...fixed] = template.split("{}");
  if (!sentence.startsWith(start)) return undefined;
  const parts: string[] = [];
  let from = start.length;
  for (const [index, text] of fixed.entries()) {
    const isLast = index === fixed.length - 1;
    const at = isLast ? sentence.length - text.length : sentence.indexOf(text, from);
    if (at <= from || !sentence.startsWith(text, at)) return undefined;
    parts.push(sentence.slice(from, at));
    from = at + text.length;
  }
  return from === sentence.length ? parts : undefined;
}

/** The number of fixed letters: the more there are, the more specific the template. */
const weight = (template: string): number => template.replaceAll("{}", "").length;

/** Translates sentences by templates; what follows none of them, such as names of files, is returned as it is. */
export function translatorOf(templates: Readonly<Record<string, string>>): (sentence: string) => string {
  const byWeight = Object.entries(templates).sort(([a], [b]) => weight(b) - weight(a));
  return function translate(sentence: string): string {
    for (const [template, other] of byWeight) {
      const parts = partsOf(template, sentence);
      if (!parts) continue;
      const [start = "", ...fixed] = other.split("{}");
      return fixed.reduce((text, next, index) => text + translate(parts[index] ?? "") + next, start);
    }
    return sentence;
  };
}
