import type { InspectedFile } from "@packhouse/contract/review/inspection";
import { parserOf } from "../../reading/syntax.ts";
import type { PythonFacts } from "../facts.ts";
import { pythonInspector } from "../inspector.ts";

const parser = await parserOf("python");

export interface Project {
  name?: string;
  kind?: "source" | "binary";
  /** Texts by path. */
  files: Readonly<Record<string, string>>;
  /** Files that are not texts. */
  others?: readonly Pick<InspectedFile, "path" | "kind">[];
}

/** What the inspector finds in a project whose files are given as texts. */
export function inspectProject({ name = "orchard", kind = "source", files, others = [] }: Project) {
  const code = new Map<string, PythonFacts>();
  const texts = new Map<string, string>();
  for (const [path, text] of Object.entries(files)) {
    if (pythonInspector.isKept(path)) texts.set(path, text);
    const inside = pythonInspector.isCode(path) ? text : pythonInspector.codeIn?.(path, text);
    if (inside !== undefined) code.set(path, inspectText(inside, path));
  }
  return pythonInspector.finish({
    name,
    version: "1.0",
    kind,
    fileName: kind === "source" ? `${name}-1.0.tar.gz` : `${name}-1.0-py3-none-any.whl`,
    files: [
      ...Object.keys(files).map((path) => file(path, "text")),
      ...others.map((other) => file(other.path, other.kind)),
    ],
    fields: [],
    code,
    texts,
  });
}

export function inspectText(text: string, path = "orchard/__init__.py"): PythonFacts {
  const tree = parser.parse(pythonInspector.withNewlines?.(text) ?? text);
  if (tree === null) throw new Error("not parsed");
  try {
    return pythonInspector.inspectCode({ path, text, root: tree.rootNode });
  } finally {
    tree.delete();
  }
}

const file = (path: string, kind: InspectedFile["kind"]): InspectedFile => ({
  path,
  size: 1,
  mode: null,
  sha256: "",
  kind,
  encoding: kind === "text" ? "utf-8" : null,
  lines: kind === "text" ? 1 : null,
  generated: false,
});
