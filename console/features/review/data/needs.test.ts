import { expect, test } from "vitest";
import { missingNeeds } from "./needs.ts";

const need = (name: string, found: "here" | "missing" | "unfit" | "upstream" | "elsewhere", given = {}) => ({
  name,
  found,
  field: "Imports",
  condition: "",
  ...given,
});

test("what a release cannot be installed without is missing once, whatever it only suggests", () => {
  expect(
    missingNeeds([
      need("here", "here"),
      need("windrose", "missing"),
      need("windrose", "missing", { field: "LinkingTo" }),
      need("grainplot", "unfit"),
      need("mirrored", "upstream"),
      need("other", "elsewhere"),
      need("nice", "missing", { field: "Suggests" }),
      need("nicer", "unfit", { field: "Enhances" }),
      need("plots", "missing", { field: "Requires-Dist", condition: 'extra == "plots"' }),
    ]),
  ).toEqual(["windrose", "grainplot"]);
});
