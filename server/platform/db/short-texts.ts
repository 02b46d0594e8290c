import { longestListText } from "@packhouse/contract/limits";
import { type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "./database.ts";
import type { Database } from "./schema.ts";

/** Columns without a size limit: text, and objects (jsonb) with texts in them. */
interface LongColumns {
  texts: readonly string[];
  objects: readonly string[];
}

/** Lengths that texts of a page are cut to, tried in this order, and the one for pages that fit none of them. */
const lengths = [longestListText, 2000, 500] as const;
const shortest = 100;
/** Limit of characters of all texts of a page together, to bound memory. */
const mostCharacters = 6_000_000;
/** How many texts an object may take the room of. */
const asTexts = 10;

/**
 * The number of characters that the texts of a page are cut to, as a column of the page's rows. The database computes
 * it from `octet_length`, which does not read the texts, and repeats that for each text of a row. Pages with too few rows
 * to reach the limit of all texts together need no computation.
 */
export function textLimit({ texts, objects }: LongColumns, mostRows: number): RawBuilder<number> {
  if (mostRows * (texts.length + asTexts * objects.length) * longestListText <= mostCharacters)
    return sql<number>`${sql.lit(longestListText)}::integer`;
  const upTo = (length: number) =>
    sql.join(
      [
        ...texts.map((column) => sql`coalesce(least(octet_length(${sql.ref(column)}), ${sql.lit(length)}), 0)`),
        ...objects.map((column) => sql`coalesce(least(${bytesOf(column)}, ${sql.lit(asTexts * length)}), 0)`),
      ],
      sql` + `,
    );
  const cases = lengths.map(
    (length) => sql`when sum(${upTo(length)}) over () <= ${sql.lit(mostCharacters)} then ${sql.lit(length)}::integer`,
  );
  return sql<number>`case ${sql.join(cases, sql` `)} else ${sql.lit(shortest)}::integer end`;
}

/**
 * An estimate for compressed texts, whose real length is only known by reading them: ordinary text compresses better
 * than this.
 */
const bytesOf = (column: string) => {
  const value = sql.ref(column);
  return sql`pg_column_size(${value}) * case when pg_column_compression(${value}) is null then 1 else 8 end`;
};

/** The beginning of a text, with one character more than the limit if there is more, so that `fitList` can tell. */
export const shortText = <Text extends string | null>(column: string, limit: RawBuilder<number>): RawBuilder<Text> =>
  sql<Text>`left(${sql.ref(column)}, ${limit} + 1)`;

const smallObjectBytes = 2000;

/** An object or array with texts in it, unchanged if small; null if it has to be read by `cutObjects`. */
export const smallObject = <Shape>(column: string): RawBuilder<Shape | null> => {
  const value = sql.ref(column);
  return sql<Shape | null>`case
    when pg_column_compression(${value}) is null and pg_column_size(${value}) <= ${sql.lit(smallObjectBytes)}
    then ${value} end`;
};

/** The first of an array's elements that lists show. */
const mostElements = 100;

const cutMembers = (object: RawBuilder<unknown>, limit: number, members?: readonly string[]) => {
  const named = members ? sql`where member.key = any(${members})` : sql``;
  return sql`(
    select coalesce(jsonb_object_agg(member.key, case jsonb_typeof(member.value)
      when 'string' then to_jsonb(left(member.value #>> '{}', ${limit} + 1)) else member.value end), '{}')
    from jsonb_each(${object}) as member ${named})`;
};

/**
 * Large objects of a page with their texts cut, by row id; arrays are cut to their first elements. A separate
 * statement, which most pages do not need.
 */
export async function cutObjects<Shape>(
  db: Db | Tx,
  column: `${keyof Database}.${string}`,
  { ids, limit, members }: { ids: readonly number[]; limit: number; members?: readonly string[] },
): Promise<Map<number, Shape>> {
  if (ids.length === 0) return new Map();
  const [table = ""] = column.split(".");
  const value = sql.ref(column);
  const { rows } = await sql<{ id: number; cut: Shape }>`
    select id, case jsonb_typeof(${value})
      when 'array' then (
        select coalesce(jsonb_agg(${cutMembers(sql`element.value`, limit)} order by element.position), '[]')
        from jsonb_array_elements(${value}) with ordinality as element (value, position)
        where element.position <= ${mostElements})
      else ${cutMembers(value, limit, members)} end as cut
    from ${sql.table(table)} where id = any(${ids})`.execute(db);
  return new Map(rows.map(({ id, cut }) => [id, cut]));
}

/** The sort key of a text: sorting by the whole text would need space for all texts. */
export const beginning = (column: string): RawBuilder<string> => sql`left(${sql.ref(column)}, 200)`;
