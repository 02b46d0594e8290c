import { describe, expect, test } from "vitest";
import { installSnippets } from "./install-snippets.ts";

const repository = (more: object) => ({
  id: 1,
  name: "stats release",
  publicationUri: "https://packages.example.org/repo/stats",
  published: true,
  requiresAuthentication: false,
  technology: "R" as const,
  lastPublicationSuccessful: true,
  ...more,
});

describe("the install commands", () => {
  test("ask R for the package in this repository first", () => {
    const [first] = installSnippets({
      name: "cropcurve",
      version: "1.0-1",
      technology: "R",
      repository: repository({}),
    });
    expect(first?.command).toBe(
      'install.packages("cropcurve", repos = c(packhouse_stats_release = "https://packages.example.org/repo/stats", getOption("repos")))',
    );
  });

  test("show where the token goes when the repository needs one", () => {
    const [first] = installSnippets({
      name: "gradeline",
      version: "2.0",
      technology: "Python",
      repository: repository({ requiresAuthentication: true }),
    });
    expect(first?.command).toBe(
      "pip install --index-url https://LOGIN:TOKEN@packages.example.org/repo/stats/simple/ gradeline",
    );
  });
});
