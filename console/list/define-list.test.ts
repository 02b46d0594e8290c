import type { packageList } from "@packhouse/contract/packages";
import type { userList } from "@packhouse/contract/users";
import { describe, expect, expectTypeOf, test } from "vitest";
import { choices, type FilterField, type ListDeclaration, notShown, shownOf } from "./define-list.ts";

type Users = ListDeclaration<typeof userList>;
const field: FilterField = { kind: "search", label: "filter.search" };

describe("a list screen", () => {
  test("has every filter of its contract, or a reason why not", () => {
    const whole: Users["filters"] = { search: field, role: field, active: field, deleted: notShown("a reason") };
    // @ts-expect-error: `deleted` is missing
    const missing: Users["filters"] = { search: field, role: field, active: field };
    // @ts-expect-error: it is misspelled
    const misspelled: Users["filters"] = { ...whole, actve: field };
    expect(shownOf<FilterField>(whole).map(([name]) => name)).toEqual(["search", "role", "active"]);
    expect([missing, misspelled]).toHaveLength(2);
  });

  test("has a column for every field that its contract can sort by, or a reason why not", () => {
    expectTypeOf<"lastLoggedInOn" | "name">().toExtend<keyof Users["columns"]>();
    expectTypeOf<{ name: Users["columns"]["name"] }>().not.toExtend<Users["columns"]>();
    // A dotted name sorts by a part of a field.
    expectTypeOf<undefined>().toExtend<Users["columns"]["userSettings.theme"]>();
    expectTypeOf<undefined>().not.toExtend<Users["columns"]["role"]>();
    expectTypeOf<"shoeSize">().not.toExtend<keyof Users["columns"]>();
  });

  test("has a secondary order by fields of its contract", () => {
    expectTypeOf<"version,desc">().toExtend<NonNullable<ListDeclaration<typeof packageList>["furtherSort"]>["name"]>();
    expectTypeOf<"versoin,desc">().not.toExtend<
      NonNullable<ListDeclaration<typeof packageList>["furtherSort"]>["name"]
    >();
  });

  test("has a text for every choice, and shows other values in an address unchanged", () => {
    const { optionText } = choices(["WAITING", "ACCEPTED"], (state) => `state.${state}`);
    expect([optionText?.("WAITING"), optionText?.("LOST")]).toEqual(["state.WAITING", undefined]);
    // @ts-expect-error: there is no such text
    choices(["LOST"], (state) => `state.${state}`);
    // @ts-expect-error: it is misspelled
    const label: FilterField["label"] = "filter.serach";
    expect(label).toBeDefined();
  });
});
