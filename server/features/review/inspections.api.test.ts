import { apiPrefix } from "@packhouse/contract/operation";
import { isLong } from "@packhouse/fixtures/long-form";
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { type SmallPackage, smallRPackage, smallSdist, smallWheel } from "../../testing/small-packages.ts";

let it: TestPackhouse;
let admin: Client;
let submitter: Client;
let stranger: Client;

beforeAll(async () => {
  it = await startPackhouse();
  admin = await it.as(it.admin);
  submitter = await it.as(await it.given.person("submitter"));
  stranger = await it.as(await it.given.person("stranger"));
  await it.given.repository("R", { name: "north" });
  await it.given.repository("Python", { name: "orchard" });
});
afterAll(() => it.close());

const accepted = (repository: string, file: SmallPackage) => it.given.submission(admin, repository, file);
const waiting = (repository: string, file: SmallPackage) => it.given.submission(submitter, repository, file);

const code = (...lines: string[]) => lines.map((line) => `${line}\n`).join("");

const summaryOf = (packageId: number, where = it) =>
  where.deps.db
    .selectFrom("review_summaries")
    .innerJoin("submissions", "submissions.id", "submission_id")
    .selectAll("review_summaries")
    .where("package_id", "=", packageId)
    .executeTakeFirst();

async function jobDone(packageId: number, where = it) {
  await expect.poll(() => summaryOf(packageId, where), { timeout: 60_000, interval: 50 }).toBeDefined();
  return summaryOf(packageId, where);
}

describe("an upload that waits", () => {
  test("is inspected and compared with the version below it, in the background", async () => {
    const base = await accepted(
      "north",
      await smallRPackage("tidepool", "1.0", {}, { "R/a.R": code("a <- 1", "b <- 2") }),
    );
    const next = await waiting(
      "north",
      await smallRPackage("tidepool", "1.1", {}, { "R/a.R": code("a <- 1", "b <- 3") }),
    );
    expect(await jobDone(next.packageId)).toMatchObject({
      base_package_id: base.packageId,
      lines_added: expect.any(Number),
      incomplete: false,
    });
    const inspections = await it.deps.db.selectFrom("inspections").select("digest").execute();
    expect(inspections.length).toBeGreaterThanOrEqual(2);
  });

  test("is compared again when a version below it is accepted", async () => {
    const first = await waiting("north", await smallRPackage("ebbing", "1.0"));
    const second = await waiting("north", await smallRPackage("ebbing", "1.1"));
    expect(await jobDone(second.packageId)).toMatchObject({ base_package_id: null });
    expect((await admin.patch(`/r/submissions/${first.id}`, [replace("/state", "ACCEPTED")])).http).toBe(200);
    await expect
      .poll(async () => (await summaryOf(second.packageId))?.base_package_id, { timeout: 60_000, interval: 50 })
      .toBe(first.packageId);
  });
});

describe("the review of a submission", () => {
  test("has comparison, indicators and impact once it is inspected, and the list of releases its level", async () => {
    await accepted("north", await smallRPackage("harbor", "1.0", {}, { "R/a.R": code("a <- 1") }));
    const hidden = 'eval(parse(text = rawToChar(base64enc::base64decode("eCA8LSAx"))))';
    const { id, packageId } = await waiting(
      "north",
      await smallRPackage("harbor", "1.1", {}, { "R/a.R": code(hidden) }),
    );
    await jobDone(packageId);
    const { http, data } = await admin.get(`/submissions/${id}/review`);
    expect(http).toBe(200);
    expect(data.comparison.files.map((file: { path: string }) => file.path)).toContain("R/a.R");
    expect(data.comparison.signals.fresh.map((signal: { id: string }) => signal.id)).toContain("first-submission");
    expect(data.indicators.length).toBeGreaterThan(0);
    expect(data.impact).toMatchObject({ archived: "1.0" });
    expect(data.release).toMatchObject({ base: { version: "1.0" }, incomplete: false });
    expect(data.release.level).not.toBeNull();
    // What was not compared before is made for the one who asks.
    await expect
      .poll(async () => (await admin.get(`/submissions/${id}/review?base=none`)).data.comparison?.files[0].change, {
        timeout: 60_000,
      })
      .toBe("added");
    expect((await admin.get(`/submissions/${id}/review?base=999999`)).http).toBe(404);
  });
});

describe("the inspection of a submission", () => {
  test("lists its files and its fields", async () => {
    const { id } = await waiting("north", await smallRPackage("shoal", "1.0", {}, { "R/a.R": code("a <- 1") }));
    const { http, data } = await submitter.get(`/submissions/${id}/inspection`);
    expect(http).toBe(200);
    expect(data).toMatchObject({ technology: "R", name: "shoal", version: "1.0", incomplete: [] });
    expect(data.files.map((file: { path: string }) => file.path).sort()).toEqual(["DESCRIPTION", "NAMESPACE", "R/a.R"]);
    expect(data.fields).toContainEqual({ name: "License", value: "GPL-3" });
  });

  test("is for its submitter and for those who may edit the package", async () => {
    const { id } = await waiting("north", await smallRPackage("shoal", "2.0"));
    for (const path of [
      "inspection",
      "comparison",
      "comparison/file?path=DESCRIPTION",
      "file?path=DESCRIPTION",
      "impact",
    ]) {
      const address = `/submissions/${id}/${path}`;
      expect([path, (await stranger.get(address)).http]).toEqual([path, 403]);
      expect([path, (await it.anonymous.get(address)).http]).toEqual([path, 401]);
      expect([path, (await it.anonymous.get(`/submissions/999999/${path}`)).http]).toEqual([path, 401]);
      expect([path, (await admin.get(`/submissions/999999/${path}`)).http]).toEqual([path, 404]);
    }
  });

  test("is made again when another inspector made it", async () => {
    const { id } = await waiting("north", await smallRPackage("shoal", "3.0"));
    const { data } = await admin.get(`/submissions/${id}/inspection`);
    await it.deps.db.updateTable("inspections").set({ inspector: -1, inspection: "{}" }).execute();
    expect((await admin.get(`/submissions/${id}/inspection`)).data).toEqual(data);
  });

  describe("by a worker that does not complete it", () => {
    let slow: TestPackhouse;
    let client: Client;
    let submissionId: number;
    let packageId: number;

    beforeAll(async () => {
      slow = await startPackhouse({
        workerProgram: new URL("../../testing/hostile-input/hostile-worker.ts", import.meta.url).pathname,
        settings: { "workers.seconds": 3 },
      });
      await slow.given.repository("R", { name: "slow" });
      client = await slow.as(slow.admin);
      const person = await slow.as(await slow.given.person("submitter"));
      const { data } = await person.upload("R", await smallRPackage("patient", "1.0"), { repository: "slow" });
      submissionId = data.id;
      packageId = data.packageBag.id;
    });
    afterAll(() => slow.close());

    const inspectedBy = async (behavior: string) => {
      await jobDone(packageId, slow);
      // The worker misbehaves for the archive's name, which only the upload checks.
      const fileName = `hostile.${behavior}_1.0.tar.gz`;
      await slow.deps.db.updateTable("packages").set({ file_name: fileName }).where("id", "=", packageId).execute();
      await slow.deps.db.deleteFrom("inspections").execute();
      return (await client.get(`/submissions/${submissionId}/inspection`)).data;
    };

    /** The first two end soon by themselves. */
    const behaviors = [
      ["heap", "memory"],
      ["exit", "unreadable"],
      ["endless", "time"],
      ["killed", "memory"],
    ] as const;
    test.for(isLong ? behaviors : behaviors.slice(0, 2))(
      "(%s) is stored as incomplete, and not made for each reader",
      async ([behavior, reason]) => {
        const found = await inspectedBy(behavior);
        expect(found.incomplete).toEqual([{ reason, paths: [] }]);
        expect(found.signals).toMatchObject([{ id: "incomplete", level: "warning", subject: reason }]);
        // Made each time, the ones that are endless would take half a minute.
        const started = performance.now();
        for (let reader = 0; reader < 10; reader += 1)
          expect((await client.get(`/submissions/${submissionId}/inspection`)).data).toEqual(found);
        expect(performance.now() - started).toBeLessThan(15_000);
      },
    );

    /** What is to be tried again later; trying it now. */
    const triesLater = async () => {
      const { rows } = await sql<{ tries: number; minutes: number }>`
        select (data ->> 'tries')::integer as tries,
          round(extract(epoch from start_after - created_on) / 60)::integer as minutes
        from jobs.job where name = 'inspect-again' and state = 'created'`.execute(slow.deps.db);
      return rows;
    };
    const tryNow = () =>
      sql`update jobs.job set start_after = created_on where name = 'inspect-again'`.execute(slow.deps.db);

    test.runIf(isLong)("for lack of time is tried again later, with all that was made from it", async () => {
      await sql`delete from jobs.job where name = 'inspect-again'`.execute(slow.deps.db);
      expect((await inspectedBy("slowonce")).incomplete).toEqual([{ reason: "time", paths: [] }]);
      await slow.deps.db.deleteFrom("comparisons").execute();
      await slow.deps.db.deleteFrom("review_summaries").execute();
      await slow.deps.inspections.request(slow.deps.db, packageId);
      expect(await jobDone(packageId, slow)).toMatchObject({ incomplete: true, level: "warning" });
      expect(await triesLater()).toEqual([{ tries: 1, minutes: 5 }]);
      await tryNow();
      await expect
        .poll(async () => (await summaryOf(packageId, slow))?.incomplete, { timeout: 60_000, interval: 50 })
        .toBe(false);
      expect((await client.get(`/submissions/${submissionId}/inspection`)).data.incomplete).toEqual([]);
      const fresh = (await client.get(`/submissions/${submissionId}/comparison`)).data.signals.fresh;
      expect(fresh.map(({ id }: { id: string }) => id)).not.toContain("incomplete");
      expect(await triesLater()).toEqual([]);
    });

    test.runIf(isLong)("for lack of time at every try is tried three times in all", async () => {
      await sql`delete from jobs.job where name = 'inspect-again'`.execute(slow.deps.db);
      const found = await inspectedBy("endless");
      expect(await triesLater()).toEqual([{ tries: 1, minutes: 5 }]);
      await tryNow();
      await expect.poll(triesLater, { timeout: 60_000, interval: 50 }).toEqual([{ tries: 2, minutes: 60 }]);
      await tryNow();
      await expect
        .poll(
          async () => {
            const { rows } = await sql`
              select from jobs.job where name = 'inspect-again' and state <> 'completed'`.execute(slow.deps.db);
            return rows.length;
          },
          { timeout: 60_000, interval: 50 },
        )
        .toBe(0);
      expect((await client.get(`/submissions/${submissionId}/inspection`)).data).toEqual(found);
    });

    test.runIf(isLong)(
      "is tried again if only the comparison lacked time, until it has counted the lines",
      async () => {
        await sql`delete from jobs.job where name = 'inspect-again'`.execute(slow.deps.db);
        const steady = (version: string, ...lines: string[]) =>
          smallRPackage("steady", version, {}, { "R/a.R": code(...lines) });
        await slow.given.submission(client, "slow", await steady("1.0", "a <- 1"));
        const person = await slow.as(await slow.given.person("another"));
        const next = await slow.given.submission(person, "slow", await steady("1.1", "a <- 1", "b <- 2"));
        await jobDone(next.packageId, slow);
        const calledFrom = (fileName: string) =>
          slow.deps.db.updateTable("packages").set({ file_name: fileName }).where("id", "=", next.packageId).execute();
        const linesAdded = async () => {
          const { files } = (await client.get(`/submissions/${next.id}/comparison`)).data;
          return files.find(({ path }: { path: string }) => path === "R/a.R").added;
        };
        expect(await linesAdded()).toBe(1);

        await calledFrom("comparing.slowonce_1.1.tar.gz");
        await slow.deps.db.deleteFrom("comparisons").execute();
        await slow.deps.db.deleteFrom("review_summaries").where("submission_id", "=", next.id).execute();
        expect(await linesAdded()).toBeNull();
        expect(await triesLater()).toEqual([{ tries: 1, minutes: 5 }]);
        await tryNow();
        await expect.poll(triesLater, { timeout: 60_000, interval: 50 }).toEqual([{ tries: 2, minutes: 60 }]);
        expect(await linesAdded()).toBeNull();

        await calledFrom("steady_1.1.tar.gz");
        await tryNow();
        expect(await jobDone(next.packageId, slow)).toMatchObject({ incomplete: false });
        expect(await linesAdded()).toBe(1);
        expect(await triesLater()).toEqual([]);
      },
    );

    test("is tried again if the system ended it, and then complete", async () => {
      const found = await inspectedBy("killedonce");
      expect(found.incomplete).toEqual([]);
      expect(found.files.map(({ path }: { path: string }) => path)).toContain("DESCRIPTION");
    });
  });
});

describe("the comparison of a submission", () => {
  test("is against the version below it, or against another one that the caller chooses", async () => {
    const old = await accepted("north", await smallRPackage("lagoon", "1.0", {}, { "R/a.R": code("a <- 1") }));
    const base = await accepted(
      "north",
      await smallRPackage("lagoon", "1.1", {}, { "R/a.R": code("a <- 1", "b <- 2") }),
    );
    const { id } = await waiting(
      "north",
      await smallRPackage("lagoon", "1.2", {}, { "R/a.R": code("a <- 1", "b <- 3") }),
    );
    const usual = (await admin.get(`/submissions/${id}/comparison`)).data;
    expect(usual.base).toMatchObject({ packageId: base.packageId, version: "1.1", repository: "north" });
    expect(usual.files.find((file: { path: string }) => file.path === "R/a.R")).toMatchObject({
      change: "changed",
      added: 1,
      removed: 1,
    });
    const chosen = (await admin.get(`/submissions/${id}/comparison?base=${old.packageId}`)).data;
    expect(chosen.base).toMatchObject({ version: "1.0" });
    expect(chosen.files.find((file: { path: string }) => file.path === "R/a.R")).toMatchObject({
      added: 1,
      removed: 0,
    });
    const none = (await admin.get(`/submissions/${id}/comparison?base=none`)).data;
    expect(none.base).toBeNull();
    expect(new Set(none.files.map((file: { change: string }) => file.change))).toEqual(new Set(["added"]));
  });

  test("refuses a base that is no package, or one that the caller may not read", async () => {
    const { id } = await waiting("north", await smallRPackage("lagoon", "2.0"));
    const others = await it.given.submission(stranger, "north", await smallRPackage("lagoon", "0.9"));
    expect((await submitter.get(`/submissions/${id}/comparison?base=latest`)).http).toBe(400);
    expect((await submitter.get(`/submissions/${id}/comparison?base=999999`)).http).toBe(404);
    expect((await submitter.get(`/submissions/${id}/comparison?base=sdist`)).http).toBe(404);
    expect((await submitter.get(`/submissions/${id}/comparison?base=${others.packageId}`)).http).toBe(404);
    expect((await admin.get(`/submissions/${id}/comparison?base=${others.packageId}`)).http).toBe(200);
    const otherName = await it.given.submission(submitter, "north", await smallRPackage("drawbridge", "1.0"));
    expect((await admin.get(`/submissions/${id}/comparison?base=${otherName.packageId}`)).http).toBe(404);
  });

  test("of a wheel can be against the sdist of its release, and shows what it has in addition", async () => {
    const sources = { "src/pear/__init__.py": code("width = 1"), "src/pear/rows.py": code("rows = []") };
    await waiting("orchard", await smallSdist("pear", "1.0", {}, sources));
    const { id } = await waiting(
      "orchard",
      await smallWheel(
        "pear",
        "1.0",
        {},
        { "pear/__init__.py": code("width = 2"), "pear/rows.py": code("rows = []"), "pear/late.py": code("x = 1") },
      ),
    );
    const { data } = await admin.get(`/submissions/${id}/comparison?base=sdist`);
    expect(data.base).toMatchObject({ fileName: "pear-1.0.tar.gz" });
    const signals = (await admin.get(`/submissions/${id}/comparison`)).data.signals.fresh.filter(
      (signal: { id: string }) => signal.id === "wheel-differs-from-sdist",
    );
    expect(signals.map(({ level, file }: { level: string; file: string }) => [level, file])).toEqual([
      ["danger", "pear/__init__.py"],
      ["warning", "pear/late.py"],
    ]);
  });
});

describe("signals from the records", () => {
  const fresh = async (id: number): Promise<[string, string, string][]> => {
    const ids = ["similar-name", "first-submission", "version-lower", "version-returns"];
    const { signals } = (await admin.get(`/submissions/${id}/comparison`)).data;
    return signals.fresh
      .filter((signal: { id: string }) => ids.includes(signal.id))
      .map((signal: { id: string; level: string; subject: string }) => [signal.id, signal.level, signal.subject]);
  };

  test("a name that can be taken for another one, and the first submission of its submitter", async () => {
    await accepted("north", await smallRPackage("grainfit", "1.0"));
    const { id } = await waiting("north", await smallRPackage("grainfits", "1.0"));
    expect(await fresh(id)).toEqual([
      ["similar-name", "warning", "grainfit"],
      ["first-submission", "info", "Name of submitter"],
    ]);
  });

  test("names that differ anywhere in one place, and only those", async () => {
    const similar = ["eaglerock", "eaglerocks", "egalerock", "xeaglerock", "eaglxrock"];
    for (const name of [...similar, "eagleroad", "eaglestone"])
      await accepted("north", await smallRPackage(name, "1.0"));
    const { id } = await waiting("north", await smallRPackage("eaglerok", "1.0"));
    const found = async (of: number) =>
      (await fresh(of)).filter(([name]) => name === "similar-name").map(([, , subject]) => subject);
    expect(await found(id)).toEqual(["eaglerock"]);
    const other = await waiting("north", await smallRPackage("yeaglerock", "1.0"));
    expect(await found(other.id)).toEqual(["eaglerock", "xeaglerock"]);
  });

  test("the name of a package that many use, although it is not here", async () => {
    const names = async (name: string) => {
      const { id } = await waiting("north", await smallRPackage(name, "1.0"));
      return (await fresh(id)).filter(([signal]) => signal === "similar-name");
    };
    expect(await names("ggplots2")).toEqual([["similar-name", "warning", "ggplot2"]]);
    expect(await names("jsonlite")).toEqual([]);
  });

  test("a version below the newest one", async () => {
    const first = await waiting("north", await smallRPackage("reef", "2.0"));
    await admin.patch(`/r/submissions/${first.id}`, [replace("/state", "ACCEPTED")]);
    const { id } = await waiting("north", await smallRPackage("reef", "1.9"));
    expect(await fresh(id)).toEqual([["version-lower", "warning", "2.0"]]);
  });

  test("a deleted version that comes back with other bytes", async () => {
    const { packageId } = await accepted("north", await smallRPackage("wreck", "1.0"));
    expect((await admin.patch(`/r/packages/${packageId}`, [replace("/deleted", true)])).http).toBe(200);
    const { id } = await waiting("north", await smallRPackage("wreck", "1.0", { Title: "Other bytes" }));
    expect(await fresh(id)).toContainEqual(["version-returns", "danger", "1.0"]);
    const again = await waiting("north", await smallRPackage("wreck", "1.1"));
    expect((await fresh(again.id)).map(([name]) => name)).not.toContain("version-returns");
  });
});

describe("one file of a submission", () => {
  test("is compared line by line, with blanks or without", async () => {
    const base = { "R/a.R": code("a <- 1", "b <- 2"), "R/gone.R": code("gone <- 1") };
    await accepted("north", await smallRPackage("delta", "1.0", {}, base));
    const { id } = await waiting(
      "north",
      await smallRPackage("delta", "1.1", {}, { "R/a.R": code("a  <-  1", "b <- 3") }),
    );
    const lines = async (query: string) => {
      const { http, data } = await admin.get(`/submissions/${id}/comparison/file?${query}`);
      expect(http).toBe(200);
      return data.hunks.flatMap(({ lines }: { lines: { kind: string; parts: { text: string }[] }[] }) =>
        lines.map(({ kind, parts }) => [kind, parts.map(({ text }) => text).join("")]),
      );
    };
    expect(await lines("path=R/a.R")).toEqual([
      ["removed", "a <- 1"],
      ["removed", "b <- 2"],
      ["added", "a  <-  1"],
      ["added", "b <- 3"],
    ]);
    expect(await lines("path=R/a.R&whitespace=true")).toEqual([
      ["same", "a  <-  1"],
      ["removed", "b <- 2"],
      ["added", "b <- 3"],
    ]);
    expect(await lines("path=R/gone.R")).toEqual([["removed", "gone <- 1"]]);
    expect(await lines("path=R/a.R&base=none")).toHaveLength(2);
    expect((await admin.get(`/submissions/${id}/comparison/file?path=R/none.R`)).messageCode).toBe(
      "error.member.not.found",
    );
    expect((await admin.get(`/submissions/${id}/comparison/file`)).http).toBe(400);
  });

  test("is text for a browser, whatever it contains and however it is called", async () => {
    const page = "<!doctype html><script>alert(1)</script>\n";
    const { id } = await waiting("north", await smallRPackage("estuary", "1.0", {}, { "inst/page.html": page }));
    const answer = await submitter.request(`${apiPrefix}/submissions/${id}/file?path=inst/page.html`);
    expect(answer.status).toBe(200);
    expect(await answer.text()).toBe(page);
    expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
    expect(answer.headers.get("content-security-policy")).toContain("sandbox");
  });

  test("that is large, no text or missing is refused", async () => {
    const files = {
      "inst/large.txt": "0123456789\n".repeat(500_000),
      "inst/binary.bin": "\u0000\u0001\u0002".repeat(1000),
    };
    const { id } = await waiting("north", await smallRPackage("firth", "1.0", {}, files));
    const codes = async (path: string) => (await admin.get(`/submissions/${id}/file?path=${path}`)).messageCode;
    expect(await codes("inst/large.txt")).toBe("member.too.large");
    expect(await codes("inst/binary.bin")).toBe("member.not.text");
    expect(await codes("../DESCRIPTION")).toBe("error.member.not.found");
    expect((await admin.get(`/submissions/${id}/comparison/file?path=inst/large.txt`)).data.state).toBe("large");
    expect((await admin.get(`/submissions/${id}/comparison/file?path=inst/binary.bin`)).data.state).toBe("binary");
  });

  test("is downloaded as it is, of the release and of its base", async () => {
    const [before, after] = ["\u0000\u0001old\u00ff", "\u0000\u0001new<script>\u00ff"];
    await accepted("north", await smallRPackage("skerry", "1.0", {}, { "inst/a.bin": before, "inst/gone.txt": "x\n" }));
    const { id } = await waiting("north", await smallRPackage("skerry", "1.1", {}, { "inst/a.bin": after }));
    const get = (query: string) => submitter.request(`${apiPrefix}/submissions/${id}/file?bytes=true&${query}`);
    const own = await get("path=inst/a.bin");
    expect(own.headers.get("content-type")).toBe("application/octet-stream");
    expect(own.headers.get("content-disposition")).toBe("attachment");
    expect(own.headers.get("x-content-type-options")).toBe("nosniff");
    expect(Buffer.from(await own.arrayBuffer())).toEqual(Buffer.from(after));
    const base = await get("path=inst/a.bin&side=before");
    expect(Buffer.from(await base.arrayBuffer())).toEqual(Buffer.from(before));
    expect(await (await get("path=inst/gone.txt&side=before")).text()).toBe("x\n");
    expect((await get("path=inst/gone.txt")).status).toBe(404);
    expect((await get("path=inst/a.bin&side=before&base=none")).status).toBe(404);
    expect((await get("path=inst/a.bin&side=both")).status).toBe(400);
  });

  test("of 5,000 lines is compared", async () => {
    const lines = (changed: string) =>
      Array.from({ length: 5000 }, (_, at) => (at % 50 === 7 ? `${changed} ${at}` : `line ${at}`));
    await accepted("north", await smallRPackage("strait", "1.0", {}, { "R/a.R": code(...lines("x")) }));
    const { id } = await waiting("north", await smallRPackage("strait", "1.1", {}, { "R/a.R": code(...lines("y")) }));
    const address = `/submissions/${id}/comparison/file?path=R/a.R`;
    expect((await admin.get(address)).data.hunks.length).toBe(100);
  });
});

test("what was found in archives that are gone is swept", async () => {
  const { id, packageId } = await waiting("north", await smallRPackage("mirage", "1.0"));
  await jobDone(packageId);
  const { digest } = await it.deps.db
    .selectFrom("packages")
    .select("digest")
    .where("id", "=", packageId)
    .executeTakeFirstOrThrow();
  const known = () => it.deps.db.selectFrom("inspections").select("digest").where("digest", "=", digest).execute();
  expect(await known()).toHaveLength(1);
  expect((await admin.delete(`/r/submissions/${id}`)).http).toBe(204);
  await it.deps.inspections.sweep();
  expect(await known()).toEqual([]);
  expect(await it.deps.db.selectFrom("inspections").select("digest").execute()).not.toEqual([]);
});
