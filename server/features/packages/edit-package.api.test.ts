import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallWheel } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let paths: string[];
let other: { user: number; repository: number; submission: number };

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  const [r, python] = [await it.given.repository("R"), await it.given.repository("Python")];
  const ofR = await admin.upload("R", await smallRPackage("fixed", "1.0"), { repository: r.name });
  const ofPython = await admin.upload("Python", await smallWheel("fixed", "1.0"), { repository: python.name });
  paths = [`/r/packages/${ofR.data.packageBag.id}`, `/python/packages/${ofPython.data.packageBag.id}`];
  const more = await admin.upload("R", await smallRPackage("other", "1.0"), { repository: r.name });
  const { id: user } = await it.given.person("other");
  other = { user, repository: (await it.given.repository("R")).id, submission: more.data.id };
});
afterAll(() => it.close());

const references = ["user", "repository", "submission"] as const;

describe("a patch that refers a package to another record", () => {
  test("is refused with one text if there is none", async () => {
    for (const path of paths)
      for (const name of references)
        for (const operation of [
          replace(`/${name}/id`, 999_999),
          replace(`/${name}/id`, 99_999_999_999),
          replace(`/${name}`, { id: "999999" }),
          replace(`/${name}`, null),
          { op: "remove", path: `/${name}` },
        ]) {
          const { http, messageCode, data } = await admin.patch(path, [operation]);
          const text = "A record that this one refers to does not exist.";
          expect([operation, http, messageCode, data]).toEqual([operation, 422, "error.validation", text]);
        }
  });

  test("is refused as a change if there is one, and changes nothing if it is its own", async () => {
    for (const path of paths) {
      const before = (await admin.get(path)).data;
      // Submissions of Python packages are not among the fixed properties: a change of one is ignored.
      const fixed = path.startsWith("/r/") ? references : references.slice(0, 2);
      for (const name of fixed)
        expect((await admin.patch(path, [replace(`/${name}`, { id: other[name] })])).data).toEqual([
          "forbidden.update",
        ]);
      const ofName = await admin.patch(path, [replace("/repository/name", "another")]);
      expect(ofName.data).toEqual(["forbidden.update"]);
      for (const name of references)
        expect((await admin.patch(path, [replace(`/${name}`, { id: before[name].id })])).http).toBe(200);
      expect((await admin.get(path)).data).toEqual(before);
    }
  });

  test("is refused before anything else that is wrong with it", async () => {
    const [path = ""] = paths;
    const patch = [replace("/user/id", 999_999), replace("/name", ""), replace("/deleted", true)];
    expect((await admin.patch(path, patch)).data).toBe("A record that this one refers to does not exist.");
  });
});
