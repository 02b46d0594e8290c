import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Indicator, InspectedFile, InterfaceEntry, Signal } from "@packhouse/contract/review/inspection";
import { Language, Parser } from "web-tree-sitter";
import { rInspector } from "../inspector.ts";

const { resolve } = createRequire(import.meta.url);
await Parser.init();
const language = await Language.load(readFileSync(resolve("@davisvaughan/tree-sitter-r/tree-sitter-r.wasm")));

interface Options {
  kind?: "source" | "binary";
  description?: Readonly<Record<string, string>>;
}

interface Inspected {
  interface: InterfaceEntry[];
  signals: Signal[];
  indicators: Indicator[];
}

/** What the inspector finds in a package with these files. */
export function inspectedPackage(
  contents: Readonly<Record<string, string | Uint8Array>>,
  { kind = "source", description = {} }: Options = {},
): Inspected {
  const code = new Map<string, ReturnType<typeof rInspector.inspectCode>>();
  const texts = new Map<string, string>();
  const files: InspectedFile[] = [];
  const signals: Signal[] = [];
  const parser = new Parser().setLanguage(language);
  for (const [path, content] of Object.entries(contents)) {
    const file = fileOf(path, content);
    files.push(file);
    if (typeof content !== "string") signals.push(...(rInspector.inspectBytes?.(file, content) ?? []));
    else {
      if (rInspector.isKept(path)) texts.set(path, content);
      const tree = rInspector.isCode(path) ? parser.parse(content) : null;
      if (tree) code.set(path, rInspector.inspectCode({ path, text: content, root: tree.rootNode }));
      tree?.delete();
    }
  }
  parser.delete();
  const fields = Object.entries(description).map(([name, value]) => ({ name, value }));
  const package_ = { name: "tidepool", version: "1.2.0", kind, fileName: "tidepool_1.2.0.tar.gz" };
  const found = rInspector.finish({ ...package_, files, fields, code, texts });
  return { ...found, signals: [...signals, ...found.signals] };
}

const fileOf = (path: string, content: string | Uint8Array): InspectedFile => ({
  path,
  size: content.length,
  mode: null,
  sha256: "",
  kind: typeof content === "string" ? "text" : "other",
  encoding: typeof content === "string" ? "utf-8" : null,
  lines: typeof content === "string" ? content.split("\n").length : null,
  generated: false,
});

/** Signals of the package's code alone, as `level id subject`. */
export function signalsOf(code: string, path = "R/code.R", namespace = ""): string[] {
  const { signals } = inspectedPackage({ NAMESPACE: namespace, [path]: code });
  return signals.map(({ level, id, subject }) => `${level} ${id} ${subject}`);
}
