import { spawnSync } from "node:child_process";
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
  test("make R look in this repository first", () => {
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

  test("show where the token goes if the repository requires one", () => {
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

  test("point R to the location of a binary", () => {
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

describe("an address from before there were rules", () => {
  const hostile = `http://x/$(touch y)'";\`touch y\`\\ {z}`;
  const commands = (technology: "R" | "Python") =>
    installSnippets({
      name: "harbor",
      version: "1.0",
      technology,
      binary: false,
      repository: repository({ technology, publicationUri: hostile }),
    });

  test("is one word in a shell", () => {
    for (const { client, command } of commands("Python").slice(0, 2)) {
      // A function in place of the client prints its words.
      const [program = ""] = command.split(" ");
      const { stdout, stderr } = spawnSync("/bin/sh", ["-c", `${program}() { printf '%s\\0' "$@"; }\n${command}`], {
        encoding: "utf8",
        env: { PATH: "/nowhere" },
      });
      expect(stderr, client).toBe("");
      expect(stdout.split("\0")).toContain("http://x/$(touch%20y)'%22;%60touch%20y%60%5C%20%7Bz%7D/simple/");
    }
  });

  test("is a string in R and TOML", () => {
    for (const { command } of commands("R")) expect(command.replaceAll(/"[^"\\]*"/g, "")).not.toMatch(/touch|["\\`]/);
    const toml = commands("Python").at(-1)?.command ?? "";
    expect(toml.match(/^url = (".*")$/m)?.[1]).toMatch(/^"[^"\\]*"$/);
  });
});
