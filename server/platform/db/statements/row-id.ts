import { type RawBuilder, sql } from "kysely";

const largestId = 2_147_483_647;

/** Whether a row can have this id; comparing others would fail in the database. */
export const isRowId = (id: number): boolean => id > 0 && id <= largestId;

/** Whether a column has one of these ids. The statement is the same for any number of them, so that it can be prepared. */
export const isOneOf = (column: string, ids: readonly number[]): RawBuilder<boolean> =>
  sql<boolean>`${sql.ref(column)} = any(${ids}::integer[])`;
