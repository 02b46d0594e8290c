import type { Parameter, Signal } from "@packhouse/contract/review/inspection";

/** A function, class, method or value that a file of code defines. */
export interface Definition {
  name: string;
  kind: "function" | "class" | "method" | "constant" | "object";
  parameters: Parameter[] | null;
  line: number;
  documented: boolean;
  /** Of a class: its methods and attributes. */
  members: Definition[];
}

/** `from .rows import Row as Line`: the module as written, with its dots, and the name in it; null for the module itself. */
export interface ImportedName {
  name: string;
  from: string;
  imported: string | null;
}

/** What a module offers when it is imported. */
export interface ModuleFacts {
  definitions: Definition[];
  imports: ImportedName[];
  /** `from .rows import *`. */
  starImports: string[];
  /** `fit = _fit`. */
  aliases: { name: string; of: string }[];
  /** `__all__`; null without one, and where it is computed. */
  all: string[] | null;
  /** Modules whose `__all__` is added to this one's. */
  allOf: string[];
  documented: boolean;
}

/** What a file of code does; its level is the one that it has in code that is installed and called. */
export interface Found {
  signal: Signal;
  /** When it happens: on `import`, in the body of a function, or only if the file is started as a program. */
  when: "import" | "call" | "program";
  /** The module, variable or path that it is about: what a package uses for the first time is news. */
  topic: string;
  /** Its own details make it suspicious, such as an address written in the call. */
  isRaised: boolean;
  /** Reaches nothing yet, as the creation of a session. */
  isQuiet: boolean;
  /** Functions and classes of the file whose call leads to it. */
  leading: string[];
}

/** What `setup(…)` in `setup.py` declares literally. */
export interface SetupCall {
  /** Text of keyword arguments that are strings. */
  texts: Record<string, string>;
  lists: Record<string, string[]>;
  /** Dictionaries of texts and lists: `package_dir`, `entry_points`. */
  tables: Record<string, Record<string, string[]>>;
}

/** What is read from one file of code, without the other files. */
export interface PythonFacts {
  module: ModuleFacts;
  found: Found[];
  setup: SetupCall | null;
  /** Modules that it imports, relative ones with their dots. */
  importedModules: string[];
  /** What it calls on import of other modules: `.net.send`. */
  importTimeCalls: string[];
  /** Paths of Python files that it names in texts: `tools/version.py`. */
  namedFiles: string[];
  /** Functions that a test runner finds. */
  tests: number;
}
