import { describe, expect, test } from "vitest";
import { ApiFailure } from "./failure.ts";

const violationsOf = (data: unknown) => new ApiFailure(422, "error.validation", "", data).violations;

describe("the violations in a refusal", () => {
  test("are split where they come quoted and joined", () => {
    expect(violationsOf(['"empty.name", "empty.license"', "name.mismatch"])).toEqual([
      "empty.name",
      "empty.license",
      "name.mismatch",
    ]);
    expect(violationsOf("error.missing.data.for.binary.package")).toEqual(["error.missing.data.for.binary.package"]);
    expect(violationsOf(null)).toEqual([]);
  });

  test("appear once where a code has an entry with details", () => {
    const code = "read.r.package.description.exception";
    expect(violationsOf([code, `${code}: line 3 is not a field`])).toEqual([`${code}: line 3 is not a field`]);
  });
});
