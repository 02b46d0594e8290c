import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  await it.given.repository("R", { name: "north" });
  await it.given.repository("R", { name: "south" });
});
afterAll(() => it.close());

async function uploaded(repository: string, name: string, version: string, fields: Record<string, string> = {}) {
  const archive = await smallRPackage(name, version, fields);
  const answer = await admin.upload("R", archive, { repository });
  expect(answer.http).toBe(201);
  return answer.data.packageBag.id as number;
}

describe("the dependencies of a package", () => {
  test("are looked up in its repository, in the others, and among the packages of R itself", async () => {
    await uploaded("north", "grainfit", "1.2.0");
    await uploaded("south", "silage", "0.9");
    await uploaded("north", "loam", "1.0");
    const id = await uploaded("north", "harvest", "2.0", {
      Depends: "R (>= 4.1)",
      Imports: "grainfit (>= 1.1), silage, loam (>= 3.0), nowhere",
    });
    const { data } = await admin.get(`/packages/${id}/dependencies`);
    const found = data.dependencies.map(
      (one: { name: string; availability: string; found: { version: string } | null }) => [
        one.name,
        one.availability,
        one.found?.version ?? null,
      ],
    );
    expect(found).toEqual([
      ["R", "builtIn", null],
      ["grainfit", "here", "1.2.0"],
      ["silage", "elsewhere", "0.9"],
      ["loam", "unfit", "1.0"],
      ["nowhere", "missing", null],
    ]);
  });

  test("include reverse ones: the newest version of each package that names it", async () => {
    const id = await uploaded("north", "topsoil", "1.0");
    await uploaded("north", "ploughing", "1.0", { Imports: "topsoil" });
    await uploaded("north", "ploughing", "1.1", { Imports: "topsoil (>= 1.0), utils" });
    await uploaded("south", "furrow", "0.1", { Suggests: "topsoil" });
    const { data } = await admin.get(`/packages/${id}/dependencies`);
    expect(
      data.dependents.map((one: { repository: string; name: string; version: string }) => [
        one.repository,
        one.name,
        one.version,
      ]),
    ).toEqual([
      ["north", "ploughing", "1.1"],
      ["south", "furrow", "0.1"],
    ]);
  });

  test("are not available for packages that do not exist", async () => {
    expect((await admin.get("/packages/999999/dependencies")).http).toBe(404);
  });
});
