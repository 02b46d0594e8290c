import { longestListText } from "@packhouse/contract/limits";
import { describe, expect, test } from "vitest";
import { firstCharacters, fitList } from "./fit-list.ts";

const same = (data: unknown) => data;
const fitted = (content: readonly unknown[], limits = {}) => JSON.parse(fitList({ content }, same, limits)).content;

describe("texts in lists", () => {
  test("are left alone up to the limit, and cut beyond it", () => {
    const exact = "é".repeat(longestListText);
    const [left, cut] = fitted([
      { id: 1, description: exact, title: null },
      { id: 2, description: `${exact}!`, title: "short" },
    ]);
    expect(left).toEqual({ id: 1, description: exact, title: null });
    expect(cut).toEqual({ id: 2, description: exact, title: "short", shortened: ["description"] });
  });

  test("are cut between characters", () => {
    expect(firstCharacters("a🐫b🐫c", 2)).toBe("a🐫");
    expect(firstCharacters("🐫🐫", 2)).toBe("🐫🐫");
    const [item] = fitted([{ id: 1, changes: "🐫".repeat(longestListText + 1) }]);
    expect([...item.changes]).toHaveLength(longestListText);
    expect(item.changes.isWellFormed()).toBe(true);
  });

  test("are reported by the record that holds them", () => {
    const long = "x".repeat(longestListText + 1);
    const [item] = fitted([
      {
        id: 1,
        packageBag: { id: 2, description: long, user: { id: 3, name: "Ada" } },
        changedProperties: [{ property: "name", valueBefore: long, valueAfter: "" }],
        links: [{ rel: "self", href: `http://localhost/${long}` }],
      },
    ]);
    expect(item.packageBag.shortened).toEqual(["description"]);
    expect(item.shortened).toEqual(["changedProperties"]);
    expect(item.packageBag.user).toEqual({ id: 3, name: "Ada" });
    expect(item.links[0].href).toHaveLength(long.length + "http://localhost/".length);
  });

  test("are cut further until the answer fits, whatever characters they are made of", () => {
    const created = "2026-01-02T03:04:05.678Z";
    for (const character of ["\u0001", '"', "a", "é", "🐫", "\u2028"]) {
      const content = Array.from({ length: 2000 }, (_, id) => ({
        id,
        created,
        ...Object.fromEntries(["a", "b", "c", "d"].map((name) => [name, character.repeat(1000)])),
      }));
      const json = fitList({ content }, same);
      expect(Buffer.byteLength(json)).toBeLessThanOrEqual(8_000_000);
      const [first] = JSON.parse(json).content;
      expect(first).toMatchObject({ created, shortened: ["a", "b", "c", "d"] });
      expect(first.a.length).toBeGreaterThanOrEqual(20);
    }
  });

  test("that the database has cut already are known by one character more than its limit", () => {
    const [cut, whole] = fitted(
      [
        { id: 1, title: "x".repeat(101) },
        { id: 2, title: "x".repeat(100) },
      ],
      { textLimit: 100 },
    );
    expect(cut).toEqual({ id: 1, title: "x".repeat(100), shortened: ["title"] });
    expect(whole).toEqual({ id: 2, title: "x".repeat(100) });
  });
});
