/** Sections of a file like `setup.cfg`, each with its options; names are in lower case only where Python makes them so. */
export type IniSections = ReadonlyMap<string, ReadonlyMap<string, string>>;

/** Reads what Python's `configparser` reads: indented lines continue the option above them. */
export function readIni(text: string): IniSections {
  const sections = new Map<string, Map<string, string>>();
  let section: Map<string, string> | undefined;
  let option: string | undefined;
  for (const line of text.split("\n")) {
    const content = line.trim();
    if (content === "" || content.startsWith("#") || content.startsWith(";")) continue;
    const isIndented = line.startsWith(" ") || line.startsWith("\t");
    if (content.startsWith("[") && content.endsWith("]") && !isIndented) {
      const name = content.slice(1, -1).trim();
      section = sections.get(name) ?? new Map();
      sections.set(name, section);
      option = undefined;
    } else if (isIndented && section && option !== undefined)
      section.set(option, `${section.get(option) ?? ""}\n${content}`);
    else if (section) {
      const at = separatorIn(content);
      if (at === -1) continue;
      option = content.slice(0, at).trim();
      section.set(option, content.slice(at + 1).trim());
    }
  }
  return sections;
}

function separatorIn(line: string): number {
  const equals = line.indexOf("=");
  const colon = line.indexOf(":");
  if (equals === -1) return colon;
  return colon === -1 ? equals : Math.min(equals, colon);
}

/** The lines of a value, or its parts between commas. */
export const valuesOf = (value: string | undefined): string[] =>
  (value ?? "")
    .split(value?.includes("\n") ? "\n" : ",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
