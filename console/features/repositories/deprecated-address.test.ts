import { describe, expect, test } from "vitest";
import { betterAddress, isDeprecatedAddress, withTechnology } from "./deprecated-address.ts";

describe("a server address without a technology in its path", () => {
  test("is detected", () => {
    expect(isDeprecatedAddress("https://store.example.org/stats")).toBe(true);
    expect(isDeprecatedAddress("https://store.example.org/r/stats")).toBe(false);
    expect(isDeprecatedAddress("https://store.example.org/python/tools/")).toBe(false);
    expect(isDeprecatedAddress("")).toBe(false);
  });

  test("gets the technology before its last part", () => {
    const address = withTechnology("https://store.example.org/repo/stats", "R");
    expect(address).toBe("https://store.example.org/repo/r/stats");
    expect(isDeprecatedAddress(address)).toBe(false);
  });

  test("is corrected for the configured server, otherwise shown as a pattern", () => {
    const server = "https://store.example.org";
    expect(betterAddress("https://store.example.org/stats", "R", server)).toBe("https://store.example.org/r/stats");
    expect(betterAddress("https://elsewhere.example.org/stats", "Python", server)).toBe(
      "https://store.example.org/python/{repo}",
    );
  });
});
