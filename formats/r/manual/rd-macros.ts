/** How an argument of a macro is read. */
export type Mode = "latex" | "r" | "verbatim" | "equation";

export interface MacroSyntax {
  args: readonly Mode[];
  /** How many of the arguments must be there. */
  needs: number;
  takesOption: boolean;
}

/** A line per syntax ("Parsing Rd files", 2.3 to 2.6): the modes of the arguments, `?` before those that may be absent. */
const syntaxes: readonly [string, string][] = [
  ["", "cr dots ldots R tab"],
  [
    "latex",
    `acronym bold cite command dfn dQuote email emph file pkg sQuote strong var itemize enumerate describe
     arguments author concept description details docType encoding format keyword note references seealso source title value`,
  ],
  ["[] latex", "link linkS4class"],
  ["latex latex", "section subsection enc if method S3method S4method tabular"],
  ["latex latex latex", "ifelse"],
  ["r", "code donttest dontshow testonly examples special usage"],
  ["[] r", "Sexpr"],
  ["verbatim", "alias name synopsis Rdversion RdOpts dontrun env kbd option out preformatted samp url verb"],
  ["verbatim ?verbatim", "figure"],
  ["verbatim latex", "href"],
  ["equation ?verbatim", "eqn deqn"],
];

const modes: Readonly<Record<string, Mode>> = { latex: "latex", r: "r", verbatim: "verbatim", equation: "equation" };

function syntaxOf(line: string): MacroSyntax {
  const words = line.split(" ").filter(Boolean);
  const args = words.flatMap((word) => modes[word.replace("?", "")] ?? []);
  return { args, needs: words.filter((word) => modes[word]).length, takesOption: words.includes("[]") };
}

/** The macros that R knows, but for `\item`, which depends on where it stands, and those that define macros. */
export const macroSyntax: ReadonlyMap<string, MacroSyntax> = new Map(
  syntaxes.flatMap(([line, names]) => names.split(/\s+/).map((name) => [name, syntaxOf(line)] as const)),
);

/** Lists whose `\item` has a label and a text; in the others it only marks where an entry begins. */
export const labelledLists: ReadonlySet<string> = new Set(["arguments", "describe", "value"]);
export const plainLists: ReadonlySet<string> = new Set(["itemize", "enumerate"]);

/** What cannot stand inside a paragraph. */
export const blockMacros: ReadonlySet<string> = new Set([
  ...["deqn", "describe", "enumerate", "itemize", "preformatted", "subsection", "tabular"],
]);
