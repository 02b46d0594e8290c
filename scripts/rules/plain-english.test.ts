import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { type Comment, parseSync, Visitor } from "oxc-parser";
import { describe, expect, test } from "vitest";
import { project } from "../stages.ts";

/**
 * Words that are gone from comments, documents, and the texts and messages of the product, each with what to write
 * instead. Add a pair once a word has no hits left.
 */
const replaced: readonly (readonly [words: string, instead: string])[] = [
  ["all the same", "anyway"],
  ["anew", "again"],
  ["likewise", "also"],
  ["deed, deeds", "action"],
  ["heal, heals, healed", "fix, recover"],
  ["hurry, hurries, hurried", "soon"],
  ["patiently", "with retries"],
  ["circumstances", "context"],
  ["heedless, hastily", "careless, quickly"],
  ["hitherto, henceforth, forthwith", "until now, from now on, immediately"],
  ["whence, thence, hither, thither", "from where, from there, here, there"],
  ["wherein, whereupon, thereupon, thereof", "in which, after which, then, of it"],
  ["naught, nought, aught", "nothing, anything"],
  ["whilst, amongst", "while, among"],
  ["behaviour, behaviours", "behavior"],
  ["centred", "centered"],
  ["favour, favours, favoured, favourite", "favor"],
  ["honour, honours, honoured", "honor"],
  ["defence, offence", "defense, offense"],
  ["grey, greyed", "gray"],
  ["judgement, artefact, artefacts", "judgment, artifact"],
  ["cancelling, signalled, signalling, travelled, travelling, modelled, modelling", "canceling, signaled, …"],
  ["initialise, initialised, initialises, initialising", "initialize"],
  ["optimise, optimised, optimises, optimising", "optimize"],
  ["summarise, summarised, summarises, summarising", "summarize"],
  ["customise, customised, utilise, utilised", "customize, use"],
  ["synchronise, synchronised, synchronises, synchronising, synchronisation", "synchronize"],
  ["organise, organised, organisation, organisations", "organize, organization"],
  ["authorise, authorised, authorises, authorisation", "authorize, authorization"],
  ["normalise, normalised, normalisation", "normalize"],
  ["recognise, recognised, recognises", "recognize"],
  ["serialise, serialised, serialises", "serialize"],
  ["colour, colours, coloured", "color"],
  ["catalogue, catalogues, licence, licences", "catalog, license"],
  ["cancelled", "canceled"],
  ["e mail, e mails", "email"],
  ["user name, user names", "username"],
  ["afterwards, meanwhile", "afterward, in the meantime"],
  ["for good", "permanently"],
  ["whoever, whomever", "the user who, anyone who"],
  ["somebody, somebody s, everybody", "someone, a user, everyone"],
  ["told, tells", "shown, shows, reports"],
  ["mend, mends, mended", "fix"],
  ["beside", "next to, while"],
  ["verdict, verdicts", "decision"],
  ["standing", "relation, role"],
  ["settled, unsettled", "published, decided"],
  ["unforeseen", "unexpected"],
  ["what became of", "the outcome of, the result of"],
  ["by the api, by otlp, by ntp, by dkim, by one click", "through the API, with OTLP, with one click"],
  ["takes a reason", "requires a reason"],
  ["anybody", "anyone"],
  ["weakness, weaknesses", "vulnerability"],
  ["change log", "changelog"],
  ["as a text, a text only", "as text, plain text"],
  ["by turns, in the place of", "alternately, in place of"],
];

/** The same for Polish texts. */
const replacedPolish: typeof replaced = [
  ["odnośnik, odnośnika, odnośniki", "link"],
  ["dezaktywuj, dezaktywuje, dezaktywowany", "wyłącz"],
  ["kody odzyskiwania, kod odzyskiwania", "kody zapasowe"],
  ["tutejszy, tutejsze, tutejszych, tutejszymi", "w tym repozytorium"],
  ["ktoś, ktokolwiek", "użytkownik"],
  ["rysowanie, rysuje", "wyświetlanie, przygotowywanie"],
  ["tymczasem, znowu", "w międzyczasie, ponownie"],
  ["nie umie", "nie potrafi"],
  ["klienci, klientów", "programy, programy klienckie"],
  ["przypisane, przypisano", "przydzielone, przydzielono"],
  ["odkodowuje, odkodować", "dekoduje, dekodować"],
];

/** Identifiers that were renamed. */
const renamed: readonly (readonly [name: string, instead: string])[] = [
  ["failureAround", "outageKind"],
  ["Standing", "Relation"],
  ["standingTo", "relationTo"],
  ["Verdict", "Decision"],
  ["mistakesOfBinary", "problemsOfBinary"],
  ["hurryTidying", "tidySoon"],
  ["settledCounts", "stableCounts"],
  ["Catalogue", "Catalog"],
];

/** It lists the words that its terms replace. */
const glossary = "docs/glossary.md";

const byWord = (pairs: typeof replaced): ReadonlyMap<string, string> =>
  new Map(pairs.flatMap(([words, plain]) => words.split(", ").map((word) => [word, plain] as const)));
const english = byWord(replaced);
const polish = byWord(replacedPolish);
const names = new Map(renamed);

/** The letters of a text in lower case, with one space between words and at both ends. */
const spaced = (text: string): string => ` ${text.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, " ")} `;

/** Inline code names things of the program, and an address is not prose. */
const withoutCode = (text: string): string =>
  text.replace(/`[^`\n]*`/g, " code ").replace(/\]\([^)\s]*\)|https?:\/\/\S+/g, " ");

function dialectIn(path: string, text: string, dialect = english): string[] {
  const words = spaced(withoutCode(text));
  return [...dialect]
    .filter(([word]) => words.includes(` ${word} `))
    .map(([word, plain]) => `${path}: “${word}”, write: ${plain}`);
}

/** The comments of a file, with line comments that follow each other as one. */
function joined(source: string, comments: readonly Comment[]): string {
  let text = "";
  let end = 0;
  for (const comment of comments) {
    const follows = comment.type === "Line" && source.slice(end, comment.start).trim() === "";
    text += `${follows ? " " : " . code . "}${comment.value}`;
    end = comment.end;
  }
  return text;
}

function dialectInSource(path: string, source: string): string[] {
  const parsed = parseSync(path, source);
  expect([path, parsed.errors]).toEqual([path, []]);
  const found = dialectIn(path, joined(source, parsed.comments));
  // Reading the program is slow, and most files need not be walked.
  if (![...names.keys()].some((name) => source.includes(name))) return found;
  const old = new Set<string>();
  new Visitor({
    Identifier({ name }) {
      if (names.has(name)) old.add(name);
    },
  }).visit(parsed.program);
  return [...found, ...[...old].map((name) => `${path}: ${name}, write: ${names.get(name)}`)];
}

/** Texts and messages: strings of several words. Statements for the database are tagged templates. */
function dialectInTexts(path: string, source: string, dialect = english): string[] {
  const { program } = parseSync(path, source);
  const statements = new Set<number>();
  const texts: string[] = [];
  new Visitor({
    TaggedTemplateExpression({ quasi }) {
      statements.add(quasi.start);
    },
    Literal({ value }) {
      if (typeof value === "string") texts.push(value);
    },
    TemplateLiteral({ start, quasis }) {
      if (!statements.has(start)) texts.push(quasis.map(({ value }) => value.cooked ?? "").join(" … "));
    },
  }).visit(program);
  return texts.filter((text) => /\S\s+\S/.test(text)).flatMap((text) => dialectIn(path, text, dialect));
}

const dialectInStyles = (path: string, source: string): string[] =>
  [...source.matchAll(/\/\*[\s\S]*?\*\//g)].flatMap(([comment]) => dialectIn(path, comment));

const dialectInDocument = (path: string, text: string): string[] =>
  dialectIn(path, text.replace(/^```[\s\S]*?^```/gm, ""));

const workspaces = "{bench,console,contract,e2e,fixtures,formats,inspection,scripts,server}";
const filesOf = (patterns: string[]): string[] =>
  globSync(patterns, { cwd: project, exclude: ["**/node_modules/**", "**/dist/**", "fixtures/packages/**"] });
const read = (path: string): string => readFileSync(join(project, path), "utf8");

/** Files with Polish texts; some also have the English ones. */
const polishTexts = [
  "console/language/pl.ts",
  "console/language/details/polish.ts",
  "server/features/mail/mail-texts.ts",
  "server/publish/serve/repository-page/texts.ts",
];

describe("plain English", () => {
  test("is the language of comments", () => {
    const sources = filesOf([`${workspaces}/**/*.{ts,tsx,mjs}`]);
    expect(sources.length).toBeGreaterThan(800);
    expect(sources.flatMap((path) => dialectInSource(path, read(path)))).toEqual([]);
    const sheets = filesOf(["console/**/*.css"]);
    expect(sheets.length).toBeGreaterThan(20);
    expect(sheets.flatMap((path) => dialectInStyles(path, read(path)))).toEqual([]);
  }, 60_000);

  test("is the language of documents", () => {
    const documents = filesOf(["*.md", "docs/**/*.md", "fixtures/*.md"]);
    expect(documents.length).toBeGreaterThan(30);
    const checked = documents.filter((path) => path !== glossary);
    expect(checked.flatMap((path) => dialectInDocument(path, read(path)))).toEqual([]);
  });

  test("is the language of texts, messages, settings and help", () => {
    const sources = filesOf(["{bin,console,contract,formats,inspection,scripts,server}/**/*.{ts,tsx,mjs}"]).filter(
      (path) => !/\.test\.ts$|\/testing\//.test(path) && path !== polishTexts[0],
    );
    expect(sources.length).toBeGreaterThan(500);
    expect(sources.flatMap((path) => dialectInTexts(path, read(path)))).toEqual([]);
  }, 60_000);

  test("is the language of file names", () => {
    const paths = filesOf([`{${workspaces.slice(1, -1)},deploy,docs}/**/*.*`]);
    expect(paths.length).toBeGreaterThan(1000);
    expect(paths.flatMap((path) => dialectIn(path, path))).toEqual([]);
  });
});

describe("plain Polish", () => {
  test("is the language of the Polish texts", () => {
    expect(polishTexts.flatMap((path) => dialectInTexts(path, read(path), polish))).toEqual([]);
  });
});

describe("a replaced word is found", () => {
  test.each([
    "/** Reads it anew. */",
    "// It is there all\n// the same.",
    "/**\n * It is there all the\n * same.\n */",
    "const row = 1; // Likewise",
    "const outage = failureAround(error);",
  ])("in a comment or a name: %j", (source) => {
    expect(dialectInSource("example.ts", source)).toHaveLength(1);
  });

  test.each([
    'const text = "Try anew";',
    "const text = `Leave all the same?`;",
    "// `anew` is a label of the wire",
    "// It is for all\nconst x = 1;\n// the same.",
    "// renewal",
  ])("and not in strings, code or other words, as far as comments go: %j", (source) => {
    expect(dialectInSource("example.ts", source)).toEqual([]);
  });

  test("in a text of several words", () => {
    expect(dialectInTexts("example.ts", 'const text = "Try anew";')).toHaveLength(1);
    expect(dialectInTexts("example.ts", "const text = `It is gone for good`;")).toHaveLength(1);
    expect(dialectInTexts("example.ts", 'const state = "cancelled";')).toEqual([]);
    expect(dialectInTexts("example.ts", "const rows = sql`select name from beside`;")).toEqual([]);
    expect(dialectInTexts("example.ts", 'const text = "Link i odnośnik";', polish)).toHaveLength(1);
  });

  test("in a document, outside of its code", () => {
    expect(dialectInDocument("example.md", "A deed\nis an action.")).toHaveLength(1);
    expect(dialectInDocument("example.md", "```sh\ndeed\n```\n`deed` [action](deed.md)")).toEqual([]);
  });
});
