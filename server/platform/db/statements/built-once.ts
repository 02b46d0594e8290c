import { type CompiledQuery, type RawBuilder, sql } from "kysely";
import type { Db, Tx } from "../database.ts";

/** Where a value belongs in a statement. */
export type Place<Values> = <Name extends keyof Values & string>(name: Name) => RawBuilder<Values[Name]>;

/** A query, or SQL. */
interface Statement<Row> {
  compile(db: Db | Tx): CompiledQuery<Row>;
}

/**
 * A statement that is built at its first use, and then sent with other values: to build one with many columns takes
 * kysely longer than PostgreSQL to run it. `build` sees no values, only where each of them belongs. Returns the rows.
 */
export function builtOnce<Values extends object, Row>(
  build: (db: Db | Tx, value: Place<Values>) => Statement<Row>,
): (db: Db | Tx, values: Values) => Promise<Row[]> {
  const names = new Map<unknown, keyof Values>();
  const placeOf: Place<Values> = (name) => {
    const place = Symbol(name);
    names.set(place, name);
    return sql`${place}`;
  };
  let built: CompiledQuery<Row> | undefined;
  return async (db, values) => {
    built ??= build(db, placeOf).compile(db);
    const parameters = built.parameters.map((it) => {
      const name = names.get(it);
      return name === undefined ? it : values[name];
    });
    const { rows } = await db.executeQuery<Row>({ ...built, parameters });
    return rows;
  };
}
