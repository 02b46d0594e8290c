import type { FilterValues } from "@packhouse/contract/list-contract";
import type { userList } from "@packhouse/contract/users";
import { type RawBuilder, sql } from "kysely";
import { expect, expectTypeOf, test } from "vitest";
import { appliedBy, conditionsOf, type FilterConditions } from "./page.ts";
import type { SortColumns } from "./sort-columns.ts";

type Users = typeof userList;
const condition = () => sql<boolean>`true`;
const filters = { role: condition, active: condition, deleted: condition, search: appliedBy("another place") };

test("a store has a condition for each filter of its contract, and no other", () => {
  const whole: FilterConditions<Users> = filters;
  const { search: _search, ...less } = filters;
  // @ts-expect-error: a filter that is left out does not compile
  const _forgotten: FilterConditions<Users> = less;
  // @ts-expect-error: neither does one that the contract does not have
  const _invented: FilterConditions<Users> = { ...whole, color: condition };
  expectTypeOf<Parameters<FilterConditions<Users>["active"]>[0]>().toEqualTypeOf<boolean>();
  expectTypeOf<Parameters<FilterConditions<Users>["role"]>[1]>().toEqualTypeOf<FilterValues<Users>>();
  expectTypeOf<keyof SortColumns<Users>>().toEqualTypeOf<Users["sorts"][number]>();
  expectTypeOf<SortColumns<Users>["name"]>().toEqualTypeOf<RawBuilder<unknown>>();
});

test("only filters that a request sets have a condition, including false", () => {
  expect(conditionsOf<Users>(filters, { active: false, role: undefined, search: "x" })).toHaveLength(1);
});
