import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
let now = new Date();
beforeAll(async () => {
  packhouse = await startPackhouse({ clock: () => now });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const second = 1000;
describe.each([
  ["stands still, so that uploads are of one second", 0],
  ["jumps back between them", -100 * second],
])("when the clock %s", (_, jump) => {
  test("events and submissions keep their order of arrival, which is that of their ids", async () => {
    const start = now;
    const repository = await packhouse.given.repository("R");
    const ids: number[] = [];
    for (const version of ["1.0", "1.1", "1.2", "1.3"]) {
      const { data } = await admin.upload("R", await smallRPackage("tick", version), { repository: repository.name });
      ids.push(data.id);
      now = new Date(now.getTime() + jump);
    }
    now = start;
    const idsOf = async (path: string): Promise<number[]> =>
      (await admin.get(path)).data.content.map((one: { id: number; resourceId?: number }) => one.resourceId ?? one.id);
    expect(await idsOf("/events?eventType=upload&sort=id,desc&size=4")).toEqual(ids.toReversed());
    expect(await idsOf(`/submissions?repository=${repository.name}&sort=id,desc`)).toEqual(ids.toReversed());
    // Sorted by time, rows of one instant are ordered by id, so that pages neither repeat nor skip any.
    const inTime = jump === 0 ? ids : ids.toReversed();
    expect(await idsOf(`/submissions?repository=${repository.name}&sort=created,asc`)).toEqual(inTime);
    const pages = [];
    for (let page = 0; page < 4; page += 1)
      pages.push(...(await idsOf(`/submissions?repository=${repository.name}&sort=created,asc&size=1&page=${page}`)));
    expect(pages).toEqual(inTime);
  });

  test("the last publication is served", async () => {
    const start = now;
    const repository = await packhouse.given.repository("R");
    const { data } = await admin.upload("R", await smallRPackage("tock", "1.0"), { repository: repository.name });
    for (let round = 0; round < 5; round += 1) {
      now = new Date(now.getTime() + jump);
      await admin.patch(`/r/packages/${data.packageBag.id}`, [replace("/active", round % 2 === 1)]);
      const index = await packhouse.anonymous.request(`/repo/${repository.name}/src/contrib/PACKAGES`);
      expect((await index.text()).includes("tock")).toBe(round % 2 === 1);
    }
    now = start;
  });
});
