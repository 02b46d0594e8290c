import { repositoryList } from "@packhouse/contract/repositories";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { ApiFailure } from "./failure.ts";
import { naturally } from "./natural-order.ts";

let asked: string[];
const refusing = (status: number, messageCode: string) => async (query: string) => {
  asked.push(query);
  if (query.includes("Natural")) throw new ApiFailure(status, messageCode, "", null);
  return "page";
};

beforeEach(() => {
  asked = [];
  const stored = new Map<string, string>();
  vi.stubGlobal("document", { baseURI: "http://console.test/" });
  vi.stubGlobal("sessionStorage", {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  });
});

describe("names in a list", () => {
  test("are asked for in natural order, other fields as they are", async () => {
    const read = async (query: string) => query;
    expect(await naturally(repositoryList, "size=5&sort=name,asc", read)).toBe("size=5&sort=nameNatural%2Casc");
    expect(await naturally(repositoryList, "sort=published,asc", read)).toBe("sort=published,asc");
  });

  test.each([
    [400, "unrecognized.query.parameter"],
    [500, "internal.error"],
  ])("come by code point from a server that answers %i, which is asked once", async (status, code) => {
    const read = refusing(status, code);
    expect(await naturally(repositoryList, "sort=name,asc", read)).toBe("page");
    expect(await naturally(repositoryList, "sort=name,desc", read)).toBe("page");
    expect(asked).toEqual(["sort=nameNatural%2Casc", "sort=name,asc", "sort=name,desc"]);
  });

  test("are not asked for again after any other refusal", async () => {
    await expect(
      naturally(repositoryList, "sort=name,asc", refusing(403, "user.not.authorized")),
    ).rejects.toMatchObject({
      status: 403,
    });
    expect(asked).toHaveLength(1);
  });
});
