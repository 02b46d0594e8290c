import { createRequire } from "node:module";
import { Language, type Node, Parser, type Tree } from "web-tree-sitter";

export type Grammar = "r" | "python";

const require = createRequire(import.meta.url);
const files: Readonly<Record<Grammar, string>> = {
  r: require.resolve("@davisvaughan/tree-sitter-r/tree-sitter-r.wasm"),
  python: require.resolve("tree-sitter-python/tree-sitter-python.wasm"),
};

const loaded = new Map<Grammar, Promise<Parser>>();

/** The parser of a language, loaded once in a process. */
export function parserOf(grammar: Grammar): Promise<Parser> {
  const parser = loaded.get(grammar) ?? load(grammar);
  loaded.set(grammar, parser);
  return parser;
}

async function load(grammar: Grammar): Promise<Parser> {
  await Parser.init();
  const language = await Language.load(files[grammar]);
  return new Parser().setLanguage(language);
}

/** Parses a text unless that takes too long; the tree is to be deleted. */
export function parse(parser: Parser, text: string, isOver: () => boolean): Tree | null {
  const tree = parser.parse(text, null, { progressCallback: isOver });
  if (tree === null) parser.reset();
  return tree;
}

/** Where a text stops being its language, from 1; null if all of it is. */
export function firstErrorLine(root: Node): number | null {
  if (!root.hasError) return null;
  let node = root;
  for (;;) {
    if (node.isError || node.isMissing) return node.startPosition.row + 1;
    const within = node.children.find((child) => child?.hasError || child?.isMissing);
    if (!within) return node.startPosition.row + 1;
    node = within;
  }
}
