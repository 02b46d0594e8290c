/** Why a statement is not allowed in migrations, or only in one with a mark. */
export interface BrokenRule {
  statement: string;
  why: string;
}

interface Rule {
  statement: RegExp;
  why: string;
  /** The mark of a migration that may do it anyway. */
  unless?: (source: string) => boolean;
}

const breaking = (source: string) => /export const oldestVersion\b/.test(source);
const outsideOfTransactions = (source: string) => /export const transaction = false\b/.test(source);

const step =
  "earlier versions still use it: stop using it in one release, take it away in a later one, with oldestVersion";

const rules: readonly Rule[] = [
  {
    statement: /drop (table|column|view|function|trigger|type|index(?! concurrently))\b[^;`]*/g,
    why: step,
    unless: breaking,
  },
  {
    statement: /rename (to|column|constraint|\w+ to)\b[^;`]*/g,
    why: "earlier versions know the old name: add the new one, fill it, switch, drop the old one",
  },
  {
    statement: /alter column \w+ (set data )?type\b[^;`]*/g,
    why: "rewrites the table under a lock: add a column of the new type, fill it, switch, drop",
  },
  {
    statement: /alter column \w+ set not null\b/g,
    why: "reads the whole table under a lock: add a check (… is not null) not valid, and validate it in a later migration",
    unless: (source) => /validate constraint/.test(source),
  },
  {
    statement: /add column (if not exists )?\w+ [^,;`]*\bdefault\b[^,;`]*\([^,;`]*/g,
    why: "a default that is computed rewrites the table under a lock: add the column without, fill it in batches",
  },
  {
    statement: /add column (if not exists )?\w+ [^,;`]*(generated|primary key|unique|serial)\b[^,;`]*/g,
    why: "rewrites or reads the whole table under a lock: add a plain column, and build its index concurrently",
  },
  {
    statement: /add column (if not exists )?\w+ (?![^,;`]*\bdefault\b)[^,;`]*not null[^,;`]*/g,
    why: "earlier versions add rows without it: give it a constant default, or let it be null",
  },
  {
    statement: /add (constraint \w+ )?(check|foreign key|unique|exclude|primary key)\b(?![^;`]*not valid)[^;`]*/g,
    why: "reads the whole table under a lock: add it not valid, and validate it in a later migration",
    unless: (source) => /using index/.test(source),
  },
  { statement: /\b(truncate|vacuum full|cluster|lock table)\b[^;`]*/g, why: "takes the table away from everybody" },
  {
    statement: /\bupdate \w+( as)? *\w* set\b[^;`]*/g,
    why: "holds the locks of all rows until it ends: fill in batches, with transaction = false",
    unless: (source) => outsideOfTransactions(source) && /\blimit\b/.test(source),
  },
  {
    statement: /\bdelete from\b[^;`]*/g,
    why: "holds the locks of all rows until it ends: delete in batches, with transaction = false",
    unless: (source) => outsideOfTransactions(source) && /\blimit\b/.test(source),
  },
];

/** What a migration must not do while the previous version of the product works with the same tables. */
export function brokenRules(source: string): BrokenRule[] {
  const text = source.replaceAll(/\s+/g, " ").toLowerCase().replaceAll("oldestversion", "oldestVersion");
  const made = new Set([...text.matchAll(/create table (?:if not exists )?(\w+)/g)].map(([, table]) => table));
  const broken = rules.flatMap(({ statement, why, unless }) =>
    unless?.(text) ? [] : [...text.matchAll(statement)].map(([found]) => ({ statement: found.trim(), why })),
  );
  for (const [found, concurrently, table] of text.matchAll(
    /create (?:unique )?index (concurrently if not exists )?\w* ?on (?:only )?(\w+)/g,
  )) {
    if (made.has(table)) continue;
    if (concurrently === undefined || !outsideOfTransactions(text))
      broken.push({
        statement: found,
        why: "keeps everybody from writing until it is built: create index concurrently if not exists, with transaction = false",
      });
  }
  return broken;
}
