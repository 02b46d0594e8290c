import { plainText, type RdMacro, type RdNode } from "./rd-tree.ts";

/** The documentation in one Rd file. */
export interface Topic {
  name: string;
  /** Names that other topics can link to. */
  aliases: string[];
  title: readonly RdNode[];
  /** For the package's own authors only. */
  isInternal: boolean;
  sections: TopicSection[];
}

export interface TopicSection {
  /** The macro: `usage`; or `section` for those with their own title. */
  kind: string;
  title: readonly RdNode[];
  content: readonly RdNode[];
}

/** In the order in which R shows them ("Writing R Extensions", 2.1.2), with their titles. */
const titles: ReadonlyMap<string, string> = new Map([
  ["description", "Description"],
  ["usage", "Usage"],
  ["arguments", "Arguments"],
  ["format", "Format"],
  ["details", "Details"],
  ["value", "Value"],
  ["section", ""],
  ["note", "Note"],
  ["author", "Author(s)"],
  ["source", "Source"],
  ["references", "References"],
  ["seealso", "See Also"],
  ["examples", "Examples"],
]);

/** R shows every one of these; of other sections only the first. */
const repeatable: ReadonlySet<string> = new Set(["description", "section", "note"]);

/** Reads the tree of a file. Without a name, which R refuses, the file name is used. */
export function topicOf(nodes: readonly RdNode[], path: string): Topic {
  const macros = nodes.filter((node) => node.kind === "macro");
  const textsOf = (name: string) =>
    macros.filter((macro) => macro.name === name).map((macro) => plainText(macro.args[0] ?? []).trim());
  const name = textsOf("name")[0] || fileStem(path);
  const title = macros.find((macro) => macro.name === "title")?.args[0] ?? [];
  return {
    name,
    aliases: [...new Set([name, ...textsOf("alias")])],
    title: title.some(showsSomething) ? title : [{ kind: "text", text: name }],
    isInternal: textsOf("keyword").includes("internal"),
    sections: [...titles.keys()].flatMap((kind) => sectionsOf(kind, macros)),
  };
}

/** The name or file that a link refers to: `\link[stats:glm]{…}`. */
export const fileStem = (path: string): string => path.replace(/^.*\//, "").replace(/\.[Rr]d$/, "");

function sectionsOf(kind: string, macros: readonly RdMacro[]): TopicSection[] {
  const found = macros
    .filter((macro) => macro.name === kind)
    .map(({ args: [first = [], second = []] }) =>
      kind === "section"
        ? { kind, title: first, content: second }
        : { kind, title: [{ kind: "text" as const, text: titles.get(kind) ?? "" }], content: first },
    );
  return (repeatable.has(kind) ? found : found.slice(0, 1)).filter(({ content }) => content.some(showsSomething));
}

function showsSomething(node: RdNode): boolean {
  if (node.kind === "break") return false;
  if (node.kind === "group") return node.content.some(showsSomething);
  return node.kind === "macro" || node.text.trim() !== "";
}
