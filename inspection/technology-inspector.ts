import type {
  DeclaredDependency,
  Indicator,
  InspectedFile,
  InterfaceEntry,
  MetadataField,
  Signal,
} from "@packhouse/contract/review/inspection";
import type { Node } from "web-tree-sitter";

/** A text of an archive, decoded. */
export interface TextFile {
  /** Below the archive's top-level folder; of a wheel the whole path. */
  path: string;
  text: string;
}

/** A file of code with its syntax tree, which is released once it was inspected. */
export interface ParsedFile extends TextFile {
  /** May contain errors; a signal reports them already. */
  root: Node;
}

/** An archive after all of its files were read. */
export interface ReadArchive<Facts> {
  /** Of the metadata; if it has none, of the file name. */
  name: string;
  version: string;
  kind: "source" | "binary";
  fileName: string;
  files: readonly InspectedFile[];
  fields: readonly MetadataField[];
  /** What `inspectCode` found, by path. */
  code: ReadonlyMap<string, Facts>;
  /** The texts that `isKept` chose, by path. */
  texts: ReadonlyMap<string, string>;
}

/**
 * What differs between the technologies. Files are read once, in the order of the archive. Signals are made with
 * `signalOf`; those of `rules/` come from elsewhere, and so do the indicators of `metadata/indicators.ts`, which are
 * left out if `finish` has its own. What an inspector finds in a text is bounded by that text; more signals or entries
 * than the limits allow are cut off.
 */
export interface TechnologyInspector<Facts> {
  readonly grammar: "r" | "python";
  /** Files of code, which are parsed. */
  isCode(path: string): boolean;
  /** The code in a text that is something else, in its place: what is not code is blank. Undefined without any. */
  codeIn?(path: string, text: string): string | undefined;
  /** A text of code whose lines end where the language ends them; each character stays in its place. */
  withNewlines?(text: string): string;
  /** Other texts that `finish` needs: NAMESPACE, `pyproject.toml`, `top_level.txt`. */
  isKept(path: string): boolean;
  /** What one file of code defines and does. */
  inspectCode(file: ParsedFile): Facts;
  /** What a file that is not text shows: R data that contains code. Such data is unpacked already. */
  inspectBytes?(file: InspectedFile, bytes: Uint8Array): Signal[];
  finish(archive: ReadArchive<Facts>): {
    interface: InterfaceEntry[];
    signals: Signal[];
    indicators: Indicator[];
    /** What the code declares to need besides the metadata. */
    dependencies?: DeclaredDependency[];
  };
}
