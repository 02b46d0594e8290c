import { expect, test } from "vitest";
import { comparedVersion } from "./compared-version.ts";

test("the version that a release is compared with is the one that was chosen, if one was", () => {
  const release = { version: "2.0", base: { packageId: 1, version: "1.9", repository: "north" } };
  const comparison = { fields: [{ name: "Version", before: "1.2", after: "2.0" }] };
  expect(comparedVersion({ release, comparison }, undefined)).toBe("1.9");
  expect(comparedVersion({ release, comparison }, "none")).toBeUndefined();
  expect(comparedVersion({ release, comparison }, "17")).toBe("1.2");
  // Of the same version, as in another repository, the field has not changed.
  expect(comparedVersion({ release, comparison: { fields: [] } }, "sdist")).toBe("2.0");
  expect(comparedVersion({ release: { ...release, base: null }, comparison }, undefined)).toBeUndefined();
});
