/** A person of `Authors@R`. */
export interface Person {
  given: string[];
  family: string[];
  email: string[];
  role: string[];
  comment: string[];
}

/** Positional parameters of R's `person()`. */
const parameterName = /([A-Za-z.]+)\s*=/y;
/** `c(ORCID = "…")`: the name is the kind, only the value is used. */
const label = /[A-Za-z.]+\s*=\s*/y;
const call = /[A-Za-z.:]+/y;
/** The maximum number of digits after `\x`, `\u` and `\U` ("R Language Definition", 10.3.1). */
const hexadecimal: Readonly<Record<string, RegExp>> = {
  x: /\{?([0-9A-Fa-f]{1,2})\}?/y,
  u: /\{?([0-9A-Fa-f]{1,4})\}?/y,
  U: /\{?([0-9A-Fa-f]{1,8})\}?/y,
};

const parameters = ["given", "family", "middle", "email", "role", "comment"] as const;
type Parameter = (typeof parameters)[number];

/**
 * Reads the one expression in `Authors@R`: `c(…)`, `person(…)` and `as.person("…")` with strings, `c("…")` and NULL.
 * It is never evaluated; anything outside this grammar yields nobody.
 */
export function readAuthors(text: string): Person[] {
  try {
    const parser = new Parser(text);
    const people = parser.people();
    parser.end();
    return people;
  } catch (error) {
    if (error instanceof NotTheGrammar) return [];
    throw error;
  }
}

/** As R shows authors: `Given Family [aut, cre] (<ORCID>)`, joined by `, `. */
export function authorsText(people: readonly Person[]): string {
  return people
    .map((person) => {
      const orcid = person.comment.find((entry) => /\d{4}-\d{4}-\d{4}-[\dX]{4}/.test(entry));
      const roles = person.role.length > 0 ? ` [${person.role.join(", ")}]` : "";
      return `${nameOf(person)}${roles}${orcid ? ` (<${orcid}>)` : ""}`;
    })
    .join(", ");
}

/** The maintainer of the package, with an email address. */
export function maintainerText(people: readonly Person[]): string | undefined {
  const creator = people.find((person) => person.role.includes("cre") && person.email.length > 0);
  return creator && `${nameOf(creator)} <${creator.email[0]}>`;
}

const nameOf = (person: Person): string => [...person.given, ...person.family].join(" ");

class NotTheGrammar extends Error {}

/** Nesting depth of lists: nobody needs more, and a thousand would exhaust the stack. */
const deepest = 8;

class Parser {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  people(depth = 0): Person[] {
    const word = this.#word();
    this.#expect("(");
    if (word === "c" && depth < deepest) return this.#list(() => this.people(depth + 1)).flat();
    if (word === "person" || word === "utils::person") return [this.#person()];
    if (word === "as.person" || word === "utils::as.person")
      return this.#list(() => this.#string()).flatMap(personOfText);
    throw new NotTheGrammar();
  }

  end(): void {
    this.#skip();
    if (this.#at < this.#text.length) throw new NotTheGrammar();
  }

  #person(): Person {
    const given = this.#list(() => ({ name: this.#parameterName(), values: this.#isLeftOut() ? [] : this.#strings() }));
    const values = new Map(given.flatMap(({ name, values }) => (name ? [[name, values] as const] : [])));
    // As in any R call, unnamed arguments fill the parameters that no name has taken.
    const places = parameters.filter((parameter) => !values.has(parameter));
    for (const [index, unnamed] of given.filter(({ name }) => !name).entries()) {
      const place = places[index];
      if (!place) throw new NotTheGrammar();
      values.set(place, unnamed.values);
    }
    const of = (parameter: Parameter) => values.get(parameter) ?? [];
    return {
      given: [...of("given"), ...of("middle")],
      family: of("family"),
      email: of("email"),
      role: of("role"),
      comment: of("comment"),
    };
  }

  /** `person("Mara", "Quill", , "mara@example.org")` */
  #isLeftOut(): boolean {
    this.#skip();
    return this.#text[this.#at] === "," || this.#text[this.#at] === ")";
  }

  #parameterName(): Parameter | undefined {
    this.#skip();
    const match = this.#match(parameterName);
    if (!match || this.#text[this.#at] === "=") return undefined;
    const name = parameters.find((parameter) => parameter === match[1]);
    if (!name) throw new NotTheGrammar();
    return name;
  }

  #strings(): string[] {
    this.#skip();
    const start = this.#text[this.#at];
    if (start === '"' || start === "'") return [this.#string()];
    const word = this.#word();
    if (word === "NULL") return [];
    if (word !== "c") throw new NotTheGrammar();
    this.#expect("(");
    return this.#list(() => {
      this.#skip();
      this.#match(label);
      const value = this.#string();
      return this.#take("=") ? this.#string() : value;
    });
  }

  /** The rest of a call after its `(`. */
  #list<T>(item: () => T): T[] {
    const items: T[] = [];
    this.#skip();
    if (this.#take(")")) return items;
    do items.push(item());
    while (this.#take(","));
    this.#expect(")");
    return items;
  }

  #string(): string {
    this.#skip();
    const quote = this.#text[this.#at];
    if (quote !== '"' && quote !== "'") throw new NotTheGrammar();
    // Whole runs of text: joining them character by character would allocate an object for each.
    const runs: string[] = [];
    this.#at += 1;
    let start = this.#at;
    for (; this.#at < this.#text.length; this.#at += 1) {
      const character = this.#text[this.#at];
      if (character === quote) {
        runs.push(this.#text.slice(start, this.#at));
        this.#at += 1;
        return runs.join("").replace(/\s+/g, " ");
      }
      if (character === "\\") {
        runs.push(this.#text.slice(start, this.#at), this.#escape());
        start = this.#at + 1;
      }
    }
    throw new NotTheGrammar();
  }

  /** The character for an escape sequence; leaves its last character to the caller. */
  #escape(): string {
    this.#at += 1;
    const kind = this.#text[this.#at] ?? "";
    const digits = Object.hasOwn(hexadecimal, kind) ? hexadecimal[kind] : undefined;
    if (digits === undefined) return "nrt".includes(kind) ? " " : kind;
    this.#at += 1;
    const codePoint = Number.parseInt(this.#match(digits)?.[1] ?? "0", 16);
    const isHalfOfPair = codePoint >= 0xd800 && codePoint <= 0xdfff;
    if (codePoint === 0 || codePoint > 0x10ffff || isHalfOfPair) throw new NotTheGrammar();
    this.#at -= 1;
    return String.fromCodePoint(codePoint);
  }

  #word(): string {
    this.#skip();
    return this.#match(call)?.[0] ?? "";
  }

  /** Consumes what a sticky pattern matches here. */
  #match(pattern: RegExp): RegExpExecArray | null {
    pattern.lastIndex = this.#at;
    const match = pattern.exec(this.#text);
    if (match) this.#at += match[0].length;
    return match;
  }

  #take(character: string): boolean {
    this.#skip();
    if (this.#text[this.#at] !== character) return false;
    this.#at += 1;
    return true;
  }

  #expect(character: string): void {
    if (!this.#take(character)) throw new NotTheGrammar();
  }

  #skip(): void {
    while (/\s/.test(this.#text[this.#at] ?? "")) this.#at += 1;
  }
}

/** `Jane Doe <jane@example.org> [aut, cre]` */
function personOfText(text: string): Person[] {
  const bracket = text.search(/[<[(]/);
  const name = (bracket === -1 ? text : text.slice(0, bracket)).trim();
  const email = enclosed(text.slice(name === "" || bracket === -1 ? text.length : bracket), "<", ">");
  const role = email && enclosed(email.rest, "[", "]");
  if (name === "" || !role || role.rest !== "") return [];
  const roles = role.inner
    .split(",")
    .map((part) => part.trim())
    .filter(Boolean);
  return [{ given: [name], family: [], email: email.inner === "" ? [] : [email.inner], role: roles, comment: [] }];
}

/** The content of brackets at the start of `text`, if there are any; undefined if they are not closed. */
function enclosed(text: string, open: string, close: string): { inner: string; rest: string } | undefined {
  if (!text.startsWith(open)) return { inner: "", rest: text };
  const end = text.indexOf(close);
  return end === -1 ? undefined : { inner: text.slice(1, end), rest: text.slice(end + 1).trim() };
}
