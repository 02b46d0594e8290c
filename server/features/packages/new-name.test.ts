import { expect, test } from "vitest";
import { checkNewName, isKeptFrom, lookalikeClash } from "./new-name.ts";

const mirror = { name: "upstream", declared: ["upstream", "second"], sharedNames: false };
const like = (mirror: string | null) => ({ name: "TidePool", normalizedName: "TidePool", mirror });

test.each([
  [null, true],
  ["second", true],
  ["upstream", false],
  ["a mirror of the past", false],
])("a mirror may not take a name that looks like one of %s: %s", (owner, kept) => {
  expect(isKeptFrom(like(owner), mirror)).toBe(kept);
});

test("names that differ only in case and names that look alike have different codes", async () => {
  const refusal = (normalizedName: string) =>
    checkNewName({ lookalikeOf: async () => like(null) }, 12, normalizedName).catch(({ data }) => data);
  expect(await refusal("tidepool")).toEqual(["name.differs.only.in.case: TidePool"]);
  expect(await refusal("tidepoo1")).toEqual(["name.confusable: TidePool"]);
  expect(lookalikeClash({ name: "tidepool", normalizedName: "tidepool", version: "1" }, like("second"))).toMatchObject({
    reason: "name.differs.only.in.case",
    with: "TidePool",
  });
});
