import {
  AliasNode,
  IdentifierNode,
  type KyselyPlugin,
  type OperationNode,
  RawNode,
  type SelectQueryBuilder,
  SelectQueryNode,
  TableNode,
} from "kysely";

/**
 * The query, sent without those of its left joins whose tables nothing else in it mentions. They have to be joins that
 * neither add nor remove rows.
 *
 * PostgreSQL omits such joins by itself, but still reads the columns that they were joined by: from the wide rows, where
 * an index alone would have done. The statement also gets shorter, and each one is parsed and planned.
 */
export const withUsedJoins = <Schema, Tables extends keyof Schema, Row>(
  query: SelectQueryBuilder<Schema, Tables, Row>,
): SelectQueryBuilder<Schema, Tables, Row> => query.withPlugin(usedJoins);

/** Sees the query as it is in the end, with what was added to it later. */
const usedJoins: KyselyPlugin = {
  transformQuery: ({ node }) => (SelectQueryNode.is(node) ? withoutUnused(node) : node),
  transformResult: async ({ result }) => result,
};

function withoutUnused(query: SelectQueryNode): SelectQueryNode {
  let node = query;
  // Backward, since a join may mention the tables of earlier ones.
  for (const join of query.joins?.toReversed() ?? []) {
    const name = nameOf(join.table);
    if (join.joinType !== "LeftJoin" || name === undefined) continue;
    const without = { ...node, joins: node.joins?.filter((other) => other !== join) ?? [] };
    if (!mentions(without, name)) node = without;
  }
  return node;
}

/** The name of a joined table in the query. */
function nameOf(table: OperationNode): string | undefined {
  if (AliasNode.is(table)) return IdentifierNode.is(table.alias) ? table.alias.name : undefined;
  return TableNode.is(table) ? table.table.identifier.name : undefined;
}

/** Whether a part of a query may use a table: in doubt, it does. */
function mentions(part: unknown, table: string): boolean {
  if (Array.isArray(part)) return part.some((one) => mentions(one, table));
  if (typeof part !== "object" || part === null || !("kind" in part)) return false;
  const node = part as OperationNode; // they alone have a kind
  if (IdentifierNode.is(node)) return node.name === table;
  if (RawNode.is(node) && node.sqlFragments.some((text) => mayName(text, table))) return true;
  return Object.values(node).some((one) => mentions(one, table));
}

const mayName = (text: string, table: string): boolean => text.includes(`${table}.`) || text.includes(`${table}".`);
