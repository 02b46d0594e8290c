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
      binary: false,
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
      binary: false,
      repository: repository({ requiresAuthentication: true }),
    });
    expect(first?.command).toBe(
      "pip install --index-url https://LOGIN:TOKEN@packages.example.org/repo/stats/simple/ gradeline",
    );
  });

  test("ask R for a binary where it lies", () => {
    const binary = {
      name: "cropcurve",
      version: "1.0",
      technology: "R",
      binary: true,
      repository: repository({}),
    } as const;
    const [linux, ...none] = installSnippets({ ...binary, distribution: "jammy" });
    expect(none).toEqual([]);
    expect(linux?.command).toMatch(/^options\(HTTPUserAgent = sprintf\(/);
    expect(linux?.command).toContain(
      `repos = c(
  packhouse_stats_release_binary = "https://packages.example.org/repo/stats/linux/jammy",
  packhouse_stats_release_source = "https://packages.example.org/repo/stats",
  getOption("repos")),
  headers =`,
    );
    expect(installSnippets({ ...binary, distribution: "windows" })[0]?.command).toMatch(/type = "binary"\)$/);
  });
});
