import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallSdist } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;

beforeEach(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
});
afterEach(() => it[Symbol.asyncDispose]());

const refused = (code: string) => ({ http: 422, messageCode: "error.validation", data: [code] });

async function uploadTo(technology: "R" | "Python", file: SmallPackage, by: Client = admin) {
  return by.upload(technology, file, { repository: "north" });
}

describe("a new name in an R repository", () => {
  beforeEach(async () => {
    await it.given.repository("R", { name: "north" });
    expect((await uploadTo("R", await smallRPackage("whisker", "1.0"))).http).toBe(201);
  });

  test.for([
    ["Whisker", "name.differs.only.in.case: whisker"],
    ["whiskeR", "name.differs.only.in.case: whisker"],
    ["wh1sker", "name.confusable: whisker"],
  ] as const)("such as %s next to whisker is refused", async ([name, reason]) => {
    expect(await uploadTo("R", await smallRPackage(name, "1.0"))).toMatchObject(refused(reason));
    expect(await uploadTo("R", await smallRPackage("whisker", "1.1"))).toMatchObject({ http: 201 });
    expect(await uploadTo("R", await smallRPackage("whiskers", "1.0"))).toMatchObject({ http: 201 });
  });

  test("is compared with accepted packages of its repository", async () => {
    const { data } = await admin.get("/packages?search=whisker");
    await admin.patch(`/r/packages/${data.content[0].id}`, [replace("/active", false)]);
    expect((await uploadTo("R", await smallRPackage("Whisker", "1.0"))).http).toBe(422);
    await it.given.repository("R", { name: "south" });
    expect((await admin.upload("R", await smallRPackage("Whisker", "1.0"), { repository: "south" })).http).toBe(201);
    await admin.patch(`/r/packages/${data.content[0].id}`, [replace("/deleted", true)]);
    expect((await uploadTo("R", await smallRPackage("Whisker", "1.0"))).http).toBe(201);
    const back = await admin.patch(`/r/packages/${data.content[0].id}`, [replace("/deleted", false)]);
    expect(back).toMatchObject(refused("name.differs.only.in.case: Whisker"));
  });

  test("is checked again when a waiting submission is accepted", async () => {
    const user = await it.as(await it.given.person("eve", "user"));
    const waiting = [];
    for (const name of ["tidepool", "Tidepool"]) {
      const { http, data } = await uploadTo("R", await smallRPackage(name, "1.0"), user);
      expect(http).toBe(201);
      waiting.push(data.id);
    }
    const accept = (id: number) => admin.patch(`/r/submissions/${id}`, [replace("/state", "ACCEPTED")]);
    const answers = await Promise.all(waiting.map(accept));
    expect(answers.map(({ http }) => http).sort()).toEqual([200, 422]);
    expect(answers.find(({ http }) => http === 422)?.data[0]).toMatch(/^name.differs.only.in.case: [tT]idepool$/);
  });

  test("is taken once, however many are uploaded together", async () => {
    const files = await Promise.all(
      ["sound", "Sound", "sOund", "s0und", "SOUND"].map((name) => smallRPackage(name, "1.0")),
    );
    const answers = await Promise.all(files.map((file) => uploadTo("R", file)));
    expect(answers.map(({ http }) => http).sort()).toEqual([201, 422, 422, 422, 422]);
  });

  test("does not block existing pairs from earlier versions", async () => {
    await uploadTo("R", await smallRPackage("other", "1.0"));
    await it.pool.query(
      `update packages set name = 'Whisker', normalized_name = 'Whisker', name_look = null where name = 'other'`,
    );
    await it.pool.query("update packages set name_look = null");
    for (const name of ["whisker", "Whisker"])
      expect((await uploadTo("R", await smallRPackage(name, "2.0"))).http).toBe(201);
    expect(await uploadTo("R", await smallRPackage("WHISKER", "1.0"))).toMatchObject({ http: 422 });
  });
});

describe("a new name in a Python repository", () => {
  beforeEach(async () => {
    await it.given.repository("Python", { name: "north" });
    expect((await uploadTo("Python", await smallSdist("tide-pool", "1.0"))).http).toBe(201);
  });

  test("with another spelling is the same project", async () => {
    const again = await uploadTo("Python", await smallSdist("Tide_Pool", "1.0"));
    expect(again.messageCode).toBe("warning.package.duplicate");
    expect((await uploadTo("Python", await smallSdist("TIDE.pool", "1.1"))).http).toBe(201);
    expect((await admin.request("/repo/north/tide-pool/")).status).toBe(200);
  });

  test.for(["tide-poo1", "t1de-pool", "Tide-P00l"])("such as %s next to tide-pool is refused", async (name) => {
    expect(await uploadTo("Python", await smallSdist(name, "1.0"))).toMatchObject(
      refused("name.confusable: tide-pool"),
    );
  });
});
