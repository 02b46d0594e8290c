import { longestLine } from "./lines.ts";
import { commandsOf } from "./shell-commands.ts";

export const longestValue = 500;

const mostPasses = 3;

/** A line with its variables, among them those that it assigns itself, which are kept for later lines. */
export function withValues(line: string, values: Map<string, string>): string {
  let whole = line;
  for (let pass = 0; pass < mostPasses; pass++) {
    whole = line.includes("$") ? expanded(line, values) : line;
    const changed = assignedBy(whole).filter(([name, value]) => values.get(name) !== value);
    for (const [name, value] of changed) values.set(name, value);
    if (changed.length === 0 || !line.includes("$")) break;
  }
  return whole;
}

/** Variables of constants in their place: `${C}l`, after `C=cur`. */
export function expanded(line: string, values: ReadonlyMap<string, string>): string {
  if (values.size === 0) return line;
  const parts = line.split("$");
  let whole = parts[0] ?? "";
  for (const part of parts.slice(1)) {
    const name = /^(?:\w+|[{(]\w+[})])/.exec(part.slice(0, 60))?.[0] ?? "";
    const value = values.get(name.replace(/^[{(]|[})]$/g, ""));
    whole +=
      name === "" || value === undefined || whole.length > longestLine ? `$${part}` : value + part.slice(name.length);
  }
  return whole;
}

/** What a line gives to variables, as far as it is constant. */
function assignedBy(line: string): [name: string, value: string][] {
  if (!line.includes("=")) return [];
  return commandsOf(line).flatMap((words) => {
    const found: [string, string][] = [];
    for (const word of words) {
      if (word === "export" || word === "readonly" || word === "local") continue;
      const name = /^[A-Za-z_]\w{0,60}(?==)/.exec(word)?.[0];
      if (name === undefined) break;
      const value = word.slice(name.length + 1);
      if (value !== "" && value.length <= longestValue && !value.includes("$")) found.push([name, value]);
    }
    return found;
  });
}
