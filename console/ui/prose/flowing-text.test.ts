import { describe, expect, test } from "vitest";
import { flowingText } from "./flowing-text.ts";

describe("the description of an R package", () => {
  test("reflows paragraphs and keeps them separate", () => {
    expect(flowingText("Fits curves with\n shrinkage.\nStarts from data.\n\nRefits them.\n")).toBe(
      "Fits curves with shrinkage. Starts from data.\n\nRefits them.",
    );
  });

  test("only breaks at an escaped line end after a full stop", () => {
    expect(flowingText("Fits curves.\\nWith\\nshrinkage.")).toBe("Fits curves.\nWith shrinkage.");
  });
});
