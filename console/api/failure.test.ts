import { describe, expect, test } from "vitest";
import { ApiFailure } from "./failure.ts";

const violationsOf = (data: unknown) => new ApiFailure(422, "error.validation", "", data).violations;

describe("what a server found wrong", () => {
  test("is taken apart where it comes quoted and joined", () => {
    expect(violationsOf(['"empty.name", "empty.license"', "name.mismatch"])).toEqual([
      "empty.name",
      "empty.license",
      "name.mismatch",
    ]);
    expect(violationsOf("error.missing.data.for.binary.package")).toEqual(["error.missing.data.for.binary.package"]);
    expect(violationsOf(null)).toEqual([]);
  });

  test("is said once where a code has an entry with what exactly is wrong", () => {
    const code = "read.r.package.description.exception";
    expect(violationsOf([code, `${code}: line 3 is no field`])).toEqual([`${code}: line 3 is no field`]);
  });
});
