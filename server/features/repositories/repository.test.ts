import { longestAddress, longestName } from "@packhouse/contract/limits";
import { mostReservedNames } from "@packhouse/contract/repositories";
import { describe, expect, test } from "vitest";
import { brokenRules, type RepositoryProperties } from "./repository.ts";

const north: RepositoryProperties = {
  name: "north",
  publicationUri: "http://localhost/repo/north",
  serverAddress: "http://localhost/served/north",
  requiresAuthentication: false,
  published: true,
  redirectToSource: false,
  hashMethod: "SHA256",
};
const free = { name: false, publicationUri: false, serverAddress: false };
const longAddress = `http://localhost/${"x".repeat(longestAddress)}`;

describe("a repository", () => {
  test("may have these names and addresses", () => {
    for (const technology of ["R", "Python"] as const) {
      expect(brokenRules(technology, north, free)).toEqual([]);
      expect(brokenRules(technology, { ...north, name: "x".repeat(longestName) }, free)).toEqual([]);
    }
  });

  test.each<[Partial<RepositoryProperties>, string]>([
    [{ name: " " }, "empty.name"],
    [{ name: "x".repeat(longestName + 1) }, "name.too.long"],
    [{ name: "." }, "invalid.repository.name"],
    [{ name: ".." }, "invalid.repository.name"],
    [{ name: " north" }, "invalid.repository.name"],
    [{ name: "north " }, "invalid.repository.name"],
    [{ name: "no/rth" }, "invalid.repository.name"],
    [{ publicationUri: "" }, "empty.publicationuri"],
    [{ publicationUri: "north" }, "invalid.publicationuri"],
    [{ publicationUri: longAddress }, "publicationuri.too.long"],
    [{ serverAddress: " " }, "empty.serveraddress"],
    [{ serverAddress: "north" }, "error.invalid.serveraddress"],
    [{ serverAddress: longAddress }, "serveraddress.too.long"],
    [{ reservedNames: ["fine", "not fine"] }, "invalid.reserved.name"],
    [{ reservedNames: Array.from({ length: mostReservedNames + 1 }, (_, n) => `name${n}`) }, "invalid.reserved.name"],
  ])("with %o breaks the rule %s", (change, code) => {
    for (const technology of ["R", "Python"] as const)
      expect(brokenRules(technology, { ...north, ...change }, free)).toEqual([code]);
  });

  test("may not have the name or address of another one", () => {
    expect(brokenRules("R", north, { name: true, publicationUri: true, serverAddress: true })).toEqual([
      "repository.duplicate.name",
      "repository.duplicate.publicationuri",
      "repository.duplicate.serveraddress",
    ]);
  });

  test("keeps values that are older than a rule until they are changed", () => {
    const old = { ...north, name: "x".repeat(longestName + 1), publicationUri: "north", serverAddress: longAddress };
    expect(brokenRules("R", old, free, { before: old })).toEqual([]);
    expect(brokenRules("R", old, free, { before: north })).toEqual([
      "invalid.publicationuri",
      "name.too.long",
      "serveraddress.too.long",
    ]);
  });

  test("may not be changed in fields that the server sets", () => {
    for (const fixed of ["forbidden.update", "repository.not.found"] as const)
      expect(brokenRules("R", { ...north, name: "", publicationUri: "" }, free, { fixed })).toEqual([
        "empty.publicationuri",
        fixed,
        "empty.name",
      ]);
  });
});
