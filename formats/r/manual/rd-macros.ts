/** How an argument of a macro is read. */
export type Mode = "latex" | "r" | "verbatim" | "equation";

export interface MacroSyntax {
  args: readonly Mode[];
  /** How many arguments are required. */
  needs: number;
  takesOption: boolean;
}

/** One line per syntax ("Parsing Rd files", 2.3 to 2.6): the modes of the arguments, `?` before optional ones. */
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

/** The macros known to R, except `\item`, which depends on its context, and those that define macros. */
export const macroSyntax: ReadonlyMap<string, MacroSyntax> = new Map(
  syntaxes.flatMap(([line, names]) => names.split(/\s+/).map((name) => [name, syntaxOf(line)] as const)),
);

/** Lists whose `\item` has a label and a text; in others it only marks the start of an entry. */
export const labeledLists: ReadonlySet<string> = new Set(["arguments", "describe", "value"]);
export const plainLists: ReadonlySet<string> = new Set(["itemize", "enumerate"]);

/** What cannot be inside a paragraph. */
export const blockMacros: ReadonlySet<string> = new Set([
  ...["deqn", "describe", "enumerate", "itemize", "preformatted", "subsection", "tabular"],
]);
