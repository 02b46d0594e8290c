import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let submitter: Client;
let carer: Client;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  submitter = await it.as(await it.given.person("submitter"));
  const north = await it.given.repository("R", { name: "north" });
  const person = await it.given.person("carer", "packagemaintainer");
  await it.given.packageMaintainer(person, north, "tended");
  carer = await it.as(person);
});
afterAll(() => it.close());

const inNorth = { repository: "north" };
const remove = [replace("/deleted", true)];

async function waiting(name: string, version = "1.0"): Promise<{ id: number; packageId: number }> {
  const { data } = await submitter.upload("R", await smallRPackage(name, version), inNorth);
  expect(data.state).toBe("WAITING");
  return { id: data.id, packageId: data.packageBag.id };
}

const offered = ({ links }: { links: { type?: string; modifiableProperties?: string[] }[] }) =>
  links
    .filter(({ type }) => type)
    .map(({ type, modifiableProperties = [] }) => [type, ...modifiableProperties].join(" "));

describe("deleting the package of a waiting submission", () => {
  test("cancels the submission, with an event for each, and nobody can decide about it any more", async () => {
    const { id, packageId } = await waiting("tended");
    const before = (await admin.get("/events")).data.page.totalElements;
    const answer = await carer.patch(`/r/packages/${packageId}`, remove);
    expect(answer).toMatchObject({
      http: 200,
      data: { deleted: true, active: false, submission: { id, state: "CANCELLED" } },
    });
    expect((await admin.get(`/submissions/${id}`)).data).toMatchObject({
      state: "CANCELLED",
      approver: { login: "carer" },
      packageBag: { deleted: true },
    });
    const { content, page } = (await admin.get("/events?size=2")).data;
    expect(page.totalElements).toBe(before + 2);
    expect(content).toMatchObject([
      {
        eventType: "update",
        resourceType: "SUBMISSION",
        resourceId: id,
        changedProperties: [
          { property: "approver" },
          { property: "state", valueBefore: "waiting", valueAfter: "cancelled" },
        ],
      },
      {
        eventType: "update",
        resourceType: "PACKAGE",
        resourceId: packageId,
        changedProperties: [{ property: "deleted", valueBefore: "false", valueAfter: "true" }],
      },
    ]);
    const accepting = await admin.patch(`/r/submissions/${id}`, [replace("/state", "ACCEPTED")]);
    expect([accepting.http, accepting.messageCode]).toEqual([422, "error.malformed.patch"]);
    const restoring = await admin.patch(`/r/packages/${packageId}`, [replace("/deleted", false)]);
    expect([restoring.http, restoring.data]).toEqual([422, ["package.not.accepted"]]);
  });

  test("makes room for the same version, and a purge removes package and submission, as clients clean up", async () => {
    const { id, packageId } = await waiting("again");
    expect((await admin.patch(`/r/packages/${packageId}`, remove)).http).toBe(200);
    await waiting("again");
    expect((await admin.delete(`/r/packages/${packageId}`)).http).toBe(204);
    expect((await admin.get(`/submissions/${id}`)).messageCode).toBe("submission.notfound");
  });

  test("is offered to those who may edit the package, with no other change of it, and refused to its submitter", async () => {
    const { id, packageId } = await waiting("tended", "2.0");
    for (const [person, links] of [
      [admin, ["PATCH deleted", "DELETE"]],
      [carer, ["PATCH deleted", "DELETE"]],
      [submitter, []],
    ] as const) {
      expect(offered((await person.get(`/r/packages/${packageId}`)).data)).toEqual(links);
      expect(offered((await person.get(`/submissions/${id}`)).data.packageBag)).toEqual(links);
      const list = await person.get("/submissions?search=tended&state=WAITING");
      expect(list.data.content.map(({ packageBag }: never) => offered(packageBag))).toEqual([links]);
    }
    expect((await submitter.patch(`/r/packages/${packageId}`, remove)).http).toBe(403);
    const activation = await admin.patch(`/r/packages/${packageId}`, [replace("/active", true)]);
    expect([activation.http, activation.data]).toEqual([422, ["package.not.accepted"]]);
  });

  test("leaves the public package that it would have replaced, even if it has the same bytes", async () => {
    const file = await smallRPackage("doubled", "1.0");
    await admin.upload("R", file, inNorth);
    const next = await submitter.upload("R", file, { ...inNorth, replace: "true" });
    expect(next.data).toMatchObject({ state: "WAITING", replaces: expect.any(Number) });
    expect((await admin.patch(`/r/packages/${next.data.packageBag.id}`, remove)).http).toBe(200);
    const served = await fetch(`${it.address}/repo/north/src/contrib/doubled_1.0.tar.gz`);
    expect([served.status, Buffer.from(await served.arrayBuffer()).equals(file.bytes)]).toEqual([200, true]);
  });

  test("and accepting it at the same time end in one of the two", async () => {
    for (let round = 0; round < 4; round += 1) {
      const { id, packageId } = await waiting(`contested${round}`);
      const [deleting, accepting] = await Promise.all([
        admin.patch(`/r/packages/${packageId}`, remove),
        admin.patch(`/r/submissions/${id}`, [replace("/state", "ACCEPTED")]),
      ]);
      expect(deleting.http).toBe(200);
      const { state, packageBag } = (await admin.get(`/submissions/${id}`)).data;
      expect([state, packageBag.active, packageBag.deleted]).toEqual([
        accepting.http === 200 ? "ACCEPTED" : "CANCELLED",
        false,
        true,
      ]);
    }
  });

  test("is refused and not offered where deletion is off", async () => {
    const { id, packageId } = await waiting("kept");
    const other = await it.replica({ "deleting.packages": false });
    const address = await other.listen();
    try {
      const send = (path: string, init: RequestInit = {}) =>
        fetch(`${address}/api/v2/manager${path}`, {
          ...init,
          headers: { authorization: admin.authorization, "content-type": "application/json-patch+json" },
        }).then(async (response) => (await response.json()) as { code: number; messageCode: string; data: never });
      expect(await send(`/r/packages/${packageId}`, { method: "PATCH", body: JSON.stringify(remove) })).toMatchObject({
        code: 405,
        messageCode: "deleting.packages.disabled",
      });
      expect(offered((await send(`/r/packages/${packageId}`)).data)).toEqual([]);
    } finally {
      await other.close();
    }
    expect((await admin.get(`/submissions/${id}`)).data.state).toBe("WAITING");
  });
});
