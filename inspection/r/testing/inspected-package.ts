import type { Indicator, InspectedFile, InterfaceEntry, Signal } from "@packhouse/contract/review/inspection";
import { parse, parserOf } from "../../reading/syntax.ts";
import { rInspector } from "../inspector.ts";

const parser = await parserOf("r");

interface Options {
  kind?: "source" | "binary";
  /** A field of DESCRIPTION. */
  authors?: string;
}

interface Inspected {
  interface: InterfaceEntry[];
  signals: Signal[];
  indicators: Indicator[];
}

/** What the inspector finds in a package with these files. */
export function inspectedPackage(
  contents: Readonly<Record<string, string | Uint8Array>>,
  { kind = "source", authors = "" }: Options = {},
): Inspected {
  const code = new Map<string, ReturnType<typeof rInspector.inspectCode>>();
  const texts = new Map<string, string>();
  const files: InspectedFile[] = [];
  const signals: Signal[] = [];
  for (const [path, content] of Object.entries(contents)) {
    const file = fileOf(path, content);
    files.push(file);
    if (typeof content !== "string") signals.push(...(rInspector.inspectBytes?.(file, content) ?? []));
    else {
      if (rInspector.isKept(path)) texts.set(path, content);
      const tree = rInspector.isCode(path) ? parse(parser, content, () => false) : null;
      if (tree) code.set(path, rInspector.inspectCode({ path, text: content, root: tree.rootNode }));
      tree?.delete();
    }
  }
  const package_ = { name: "tidepool", version: "1.2.0", kind, fileName: "tidepool_1.2.0.tar.gz" };
  const found = rInspector.finish({ ...package_, files, fields: [{ name: "Authors@R", value: authors }], code, texts });
  return { ...found, signals: [...signals, ...found.signals] };
}

const fileOf = (path: string, content: string | Uint8Array): InspectedFile => ({
  path,
  size: content.length,
  mode: null,
  sha256: "",
  kind: typeof content === "string" ? "text" : "r-data",
  encoding: typeof content === "string" ? "utf-8" : null,
  lines: typeof content === "string" ? content.split("\n").length : null,
  generated: false,
});

/** Signals of the package's code alone, as `level id subject`. */
export function signalsOf(code: string, path = "R/code.R", namespace = ""): string[] {
  const { signals } = inspectedPackage({ NAMESPACE: namespace, [path]: code });
  return signals.map(({ level, id, subject }) => `${level} ${id} ${subject}`);
}
