import type { Technology } from "@packhouse/contract/technology";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse();
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

/** Creates the repository through the API, publishes one package in it, and reads the index at its address. */
async function indexOf(technology: Technology, name: string, packageName: string): Promise<string> {
  const address = `${packhouse.address}/repo/${encodeURIComponent(name)}`;
  const created = await admin.post(`/${technology.toLowerCase()}/repositories`, {
    name,
    publicationUri: address,
    serverAddress: address,
    requiresAuthentication: false,
    published: true,
  });
  expect(created).toMatchObject({ http: 201, data: { name } });
  const file = await { R: smallRPackage, Python: smallSdist }[technology](packageName, "1.0");
  expect(await admin.upload(technology, file, { repository: name })).toMatchObject({ http: 201 });
  return readIndex(technology, name);
}

const readIndex = async (technology: Technology, name: string): Promise<string> => {
  const index = { R: "/src/contrib/PACKAGES", Python: "/" }[technology];
  const answer = await fetch(`${packhouse.address}/repo/${encodeURIComponent(name)}${index}`);
  expect(answer.status).toBe(200);
  return answer.text();
};

describe("a repository", () => {
  test.each([
    ["R", "Bay of Fundy"],
    ["Python", "~bay"],
    ["Python", "..bay"],
  ] as const)(
    "of %s called %j, with a blank or ~ in its name, is found at its percent-encoded address",
    async (technology, name) => {
      expect(await indexOf(technology, name, "tidepool")).toContain("tidepool");
      const plain = await fetch(`${packhouse.address}/repo/${name.replaceAll(" ", "%20")}`, { redirect: "manual" });
      if (technology === "Python") expect(plain.headers.get("location")).toBe(`/repo/${encodeURIComponent(name)}/`);
    },
  );

  test("whose name differs only in case is a different one", async () => {
    await indexOf("R", "Shore", "upper");
    expect(await indexOf("R", "shore", "lower")).toContain("lower");
    expect(await readIndex("R", "Shore")).not.toContain("lower");
    expect(await readIndex("R", "Shore")).toContain("upper");
  });

  test.each([
    ["R", "src"],
    ["R", "r"],
    ["R", "python"],
    ["R", "bin"],
    ["R", "repo"],
    ["R", "api"],
    ["R", "login"],
    ["Python", "simple"],
    ["Python", "legacy"],
    ["Python", "assets"],
  ] as const)(
    "of %s may be called %s like a reserved path, since nothing collides below /repo",
    async (technology, name) => {
      expect(await indexOf(technology, name, "tidepool")).toContain("tidepool");
      expect((await packhouse.anonymous.request("/actuator/health")).status).toBe(200);
    },
  );
});
