import { type AnyList, naturalSuffix } from "@packhouse/contract/list-contract";
import { type OperationName, operations } from "@packhouse/contract/operations";
import { isLong } from "@packhouse/fixtures/long-form";

/** Values that match the records of `createManyRecords`, and some that match none. */
const values: Record<string, readonly string[]> = {
  technology: ["R", "Python"],
  resourceTechnology: ["R"],
  repository: ["repository7", "nowhere"],
  repositoryName: ["repository7"],
  deleted: ["true", "false"],
  origin: ["upload", "mirror", "upload,mirror"],
  published: ["true", "false"],
  active: ["true", "false"],
  expired: ["false"],
  purged: ["true"],
  security: ["true"],
  address: ["192.0.2.7"],
  assignedToMe: ["true"],
  binary: ["true", "false"],
  submissionState: ["ACCEPTED", "WAITING", "WAITING,REJECTED"],
  state: ["ACCEPTED", "WAITING", "CANCELLED"],
  search: ["package1", "package12345", "nothing at all"],
  name: ["package77", "repository7"],
  maintainer: ["Ada c9f0f895", "nobody"],
  notMaintainedBy: ["nobody"],
  role: ["admin", "user"],
  userLogin: ["admin"],
  userName: ["admin", "person17"],
  eventType: ["upload", "update,create"],
  resourceType: ["submission", "package", "repository"],
  fromDate: ["2026-01-01"],
  toDate: ["2025-06-01"],
  packageName: ["package77"],
  packageVersion: ["1.3"],
  level: ["warning", "clear,notice"],
  mine: ["true", "false"],
  changesAsked: ["true", "false"],
};

/** Every list of the API. */
export const lists: { route: OperationName; path: string; list: AnyList }[] = Object.entries(operations).flatMap(
  ([route, { answer }]) =>
    answer !== "nothing" && "list" in answer
      ? [{ route: route as OperationName, path: route.slice("GET ".length), list: answer.list }] // a key of the table
      : [],
);

/**
 * Queries of a list: near and far pages, every order and every filter; in the long form also every order both ways, and
 * every filter with orders and with further values.
 */
export function* queriesOf(list: AnyList, isWhole = isLong): Generator<string> {
  yield "size=20";
  yield "size=100";
  yield "page=50&size=20";
  for (const sort of list.sorts) {
    yield `sort=${sort},asc`;
    if (isWhole) yield `sort=${sort},desc&page=4`;
  }
  for (const name of list.names ?? []) yield `sort=${name}${naturalSuffix},asc`;
  // As the console sorts.
  const [natural] = list.names ?? [];
  for (const filter of Object.keys(list.filters)) {
    const some = values[filter];
    if (!some) throw new Error(`there is no value to try the filter ${filter} with`);
    for (const value of isWhole ? some : some.slice(0, 1)) {
      const condition = `${filter}=${encodeURIComponent(value)}`;
      yield condition;
      if (!isWhole) continue;
      yield `${condition}&sort=${list.sorts[1] ?? "id"},desc`;
      if (natural) yield `${condition}&sort=${natural}${naturalSuffix},asc`;
    }
  }
}
