import { fileURLToPath } from "node:url";
import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type ReaderFigures, readSteadily } from "../../testing/hostile-input/steady-reader.ts";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage, smallSdist } from "../../testing/small-packages.ts";

const workerProgram = fileURLToPath(new URL("../../testing/hostile-input/hostile-worker.ts", import.meta.url));
/** Of the processor, by a reader in the same process. Parsing on the main thread would take seconds to minutes. */
const mostMs = 1500;
/** Two readers that waited for a task would have had four answers. */
function expectServed({ requests, workMs, busiestMs }: ReaderFigures): void {
  // What ended sooner left no time for more.
  if (workMs > 1000) expect(requests).toBeGreaterThan(4);
  expect(busiestMs).toBeLessThan(mostMs);
}

const limits = { "workers.seconds": 2, "workers.heapMegabytes": 128, "workers.count": 2 };

let it: TestPackhouse;
let uploader: Client;
let admin: Client;
let pages: string[];
beforeAll(async () => {
  it = await startPackhouse({ workerProgram, settings: limits });
  admin = await it.as(it.admin);
  uploader = await it.as(await it.given.person("uploader"));
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "south" });
  await admin.upload("R", await smallRPackage("tidepool", "1.0"), { repository: "north" });
  pages = [`${it.address}/repo/north/src/contrib/PACKAGES`, `${it.address}/actuator/health/liveness`];
});
afterAll(() => it.close());

const limitCode = "package.processing.limit";
const send = (by: Client, behaviour: string) =>
  smallRPackage("tidepool", "2.0").then(({ bytes, type }) =>
    by.upload("R", { bytes, type, fileName: `hostile.${behaviour}_1.0.tar.gz` }, { repository: "north" }),
  );

describe("while hostile archives are uploaded, readers do not wait", () => {
  test.for(isLong ? ["endless", "heap", "split", "stack"] : ["endless", "stack"])(
    "%s",
    { timeout: 90_000 },
    async (behaviour) => {
      const { result, reader } = await readSteadily(pages, () =>
        Promise.all([send(uploader, behaviour), send(uploader, behaviour)]),
      );
      for (const answer of result) {
        expect([answer.http, answer.messageCode]).toEqual([422, "error.validation"]);
        expect(answer.data).toEqual([limitCode, expect.stringContaining(`${limitCode}: processing takes more than`)]);
      }
      expect(reader).toMatchObject({ refused: 0 });
      expectServed(reader);
      // It leaves nothing behind, and the next upload is read.
      expect(await it.deps.db.selectFrom("packages").select("id").where("name", "like", "hostile%").execute()).toEqual(
        [],
      );
      const next = await smallRPackage(`after.${behaviour}`, "1.0");
      expect((await uploader.upload("R", next, { repository: "north" })).http).toBe(201);
    },
  );

  test("a defect of a parser is a 500 for its uploader alone", async () => {
    expect((await send(uploader, "exit")).http).toBe(500);
    const next = await smallRPackage("after.exit", "1.0");
    expect((await uploader.upload("R", next, { repository: "north" })).http).toBe(201);
  });
});

describe("metadata that is hard on regular expressions", () => {
  const requirement = (blanks: number) => `a${" ".repeat(blanks)})x`;
  test("blocks no one, neither on upload nor when viewed", { timeout: 120_000 }, async () => {
    const archives = await Promise.all([
      smallSdist("slow-one", "1.0", { "Requires-Dist": requirement(3000) }),
      smallSdist("slow-two", "1.0", { "Requires-Dist": `a (${"[".repeat(50_000)}` }),
    ]);
    const titles = await smallRPackage("titles", "1.0", {}, { "inst/doc/a.html": "<title ".repeat(30_000) });
    const { result, reader } = await readSteadily(pages, async () => {
      const answers = [];
      for (const archive of archives) answers.push(await uploader.upload("Python", archive, { repository: "south" }));
      answers.push(await uploader.upload("R", titles, { repository: "north" }));
      for (const { http, data } of answers) {
        if (http !== 201) continue;
        await uploader.get(`/packages/${data.packageBag.id}/dependencies`);
      }
      return answers;
    });
    for (const { http } of result) expect([201, 422]).toContain(http);
    expect(reader.busiestMs).toBeLessThan(mostMs);
  });
});

describe("a patch", () => {
  const myself = async () => (await uploader.get("/users/me")).data.id as number;
  const copies = (count: number) => [
    { op: "add", path: "/x", value: [0, 0, 0, 0] },
    { op: "add", path: "/y", value: [0] },
    ...Array.from({ length: count }, (_, index) =>
      index % 2 === 0 ? { op: "copy", from: "/x", path: "/y/-" } : { op: "copy", from: "/y", path: "/x/-" },
    ),
  ];

  test("of a few copies, or of a megabyte, is refused immediately", async () => {
    const path = `/user-settings/${await myself()}`;
    const large = Array.from({ length: 900 }, (_, index) => ({
      op: "add",
      path: `/x${index}`,
      value: "y".repeat(900),
    }));
    const nested = (levels: number) => `[{"op":"add","path":"/x","value":${"[".repeat(levels)}${"]".repeat(levels)}}]`;
    const sendText = async (body: string) => {
      const headers = { "content-type": "application/json-patch+json" };
      const answer = await uploader.request(`/api/v2/manager${path}`, { method: "PATCH", headers, body });
      const { messageCode, data } = (await answer.json()) as { messageCode: string; data: unknown };
      return { http: answer.status, messageCode, data };
    };
    const { result, reader } = await readSteadily(pages, async () => [
      await uploader.patch(path, [
        { op: "add", path: "/x", value: [0] },
        ...Array.from({ length: 26 }, () => ({ op: "copy", from: "/x", path: "/x/-" })),
      ]),
      await uploader.patch(path, copies(40)),
      await uploader.patch(path, copies(998)),
      await uploader.patch(path, large),
      await sendText(nested(100)),
      await sendText(nested(500_000)),
    ]);
    for (const [index, answer] of result.entries()) {
      // The last one has more arrays than any body may have.
      const expected = index === result.length - 1 ? [400, "bad.request"] : [422, "error.malformed.patch"];
      expect([answer.http, answer.messageCode]).toEqual(expected);
      expect(String(answer.data).length).toBeLessThan(1000);
    }
    expect(reader.busiestMs).toBeLessThan(mostMs);
  });

  test("of more than 16 kB that is valid changes its record", async () => {
    const path = `/user-settings/${await myself()}`;
    const about = (await uploader.get(path)).data;
    const tests = Array.from({ length: 900 }, () => ({ op: "test", path: "/pageSize", value: about.pageSize }));
    const answer = await uploader.patch(path, [...tests, { op: "replace", path: "/pageSize", value: 25 }]);
    expect([answer.http, answer.data.pageSize]).toEqual([200, 25]);
  });
});

describe("a manual that cannot be rendered", () => {
  test("is refused by name within its time limit, and immediately the second time", { timeout: 60_000 }, async () => {
    const archive = await smallRPackage("tidepool", "3.0", {}, { "man/a.Rd": "\\name{a}\\title{a}" });
    const { data } = await admin.upload("R", archive, { repository: "north" });
    const id = data.packageBag.id as number;
    // As if its file had always had this name: the worker of this test acts by file name.
    await it.deps.db
      .updateTable("packages")
      .set({ file_name: "hostile.endless_1.0.tar.gz" })
      .where("id", "=", id)
      .execute();
    const path = `/r/packages/${id}/manual.html`;
    const { result, reader } = await readSteadily(pages, () => admin.get(path));
    expect([result.http, result.messageCode, result.data?.[0]]).toEqual([422, "error.validation", limitCode]);
    expectServed(reader);
    // Rendered each time, they would take forty seconds.
    const started = performance.now();
    for (let time = 0; time < 20; time += 1) expect((await admin.get(path)).http).toBe(422);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});
