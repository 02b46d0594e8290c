import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { repeatedRPackage, repeatedSdist } from "../../testing/hostile-input/repeated-members.ts";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

let packhouse: TestPackhouse;
beforeAll(async () => {
  packhouse = await startPackhouse();
  await packhouse.given.repository("R", { name: "R", published: true });
  await packhouse.given.repository("Python", { name: "Python", published: true });
});
afterAll(() => packhouse.close());

describe.each([
  ["R", repeatedRPackage, "src/contrib/PACKAGES"],
  ["Python", repeatedSdist, "simple/"],
] as const)("an archive of %s with some files twice", (technology, make, index) => {
  test("is accepted and published if they are equal, as some tools pack them", async () => {
    const admin = await packhouse.as(packhouse.admin);
    const answer = await admin.upload(technology, await make("twice"), { repository: technology });
    expect([answer.http, answer.data.state]).toEqual([201, "ACCEPTED"]);
    const published = await packhouse.anonymous.request(`/repo/${technology}/${index}`);
    expect(await published.text()).toContain("twice");
  });

  test("is refused if they differ, because clients disagree on which one counts", async () => {
    const admin = await packhouse.as(packhouse.admin);
    const answer = await admin.upload(technology, await make("differs", "another license"), { repository: technology });
    expect([answer.http, answer.data]).toEqual([422, expect.arrayContaining(["unsafe.archive.entry"])]);
  });
});
