import { type RawBuilder, sql } from "kysely";

/**
 * Whether a column has one of these ids. There is one statement for a single id, as most often, and one for any other
 * number, so that both can be prepared. For an array, whose length it does not know in advance, PostgreSQL expects ten
 * values, and plans again at each use in the hope of fewer.
 */
export const isOneOf = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  ids.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${ids[0]}`
    : sql<boolean>`${sql.ref(column)} = any(${ids}::integer[])`;

/** The same for texts. */
export const isOneOfTexts = (column: string, texts: readonly string[]): RawBuilder<boolean> =>
  texts.length === 1
    ? sql<boolean>`${sql.ref(column)} = ${texts[0]}`
    : sql<boolean>`${sql.ref(column)} = any(${texts}::text[])`;
