/** One page of a list, before it is presented. `forced` marks lists that a filter emptied without a query. */
export interface Found<Row> {
  rows: Row[];
  total: number;
  forced?: boolean;
  /** Characters that the texts of the rows are cut to, if the database has cut them. */
  textLimit?: number | undefined;
}

/** A list that must be empty, such as events of an unknown type. */
export const forcedEmpty = <Row>(): Found<Row> => ({ rows: [], total: 0, forced: true });
