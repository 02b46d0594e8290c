import { gunzipSync } from "node:zlib";
import { readRds } from "@packhouse/fixtures/rds-reading";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, replace, startPackhouse, type TestPackhouse } from "../testing/packhouse.ts";
import { smallRPackage } from "../testing/small-packages.ts";

let packhouse: TestPackhouse;
let admin: Client;
beforeAll(async () => {
  packhouse = await startPackhouse({
    settings: {
      "r.distributions": ["jammy", "noble", "big-sur-arm64"],
      "r.architectures": ["x86_64", "aarch64"],
    },
  });
  admin = await packhouse.as(packhouse.admin);
});
afterAll(() => packhouse.close());

const jammy = { binary: "true", rVersion: "4.2", architecture: "x86_64", distribution: "jammy" };
const agentOf = (version: string, architecture = "x86_64") =>
  `R/${version} R (${version} ${architecture}-pc-linux-gnu ${architecture} linux-gnu)`;
const builtFor = (version: string, platform = "x86_64-pc-linux-gnu") => ({
  Built: `R ${version}; ${platform}; 2026-11-21 02:47:12 UTC; unix`,
});

async function repositoryOfItsOwn(fields: { redirectToSource?: boolean } = {}) {
  const repository = await packhouse.given.repository("R");
  if (fields.redirectToSource)
    await admin.patch(`/r/repositories/${repository.id}`, [replace("/redirectToSource", true)]);
  const at = (path: string, userAgent?: string) =>
    packhouse.anonymous.request(
      `/repo/${repository.name}/${path}`,
      userAgent === undefined ? {} : { headers: { "user-agent": userAgent } },
    );
  const send = async (
    name: string,
    version: string,
    target: Record<string, string> = {},
    built = builtFor("4.2.2"),
  ) => {
    const file = await smallRPackage(name, version, "binary" in target ? built : {});
    return admin.upload("R", file, { repository: repository.name, generateManual: "false", ...target });
  };
  const listed = async (path: string, userAgent?: string) => {
    const answer = await at(`${path}/PACKAGES`, userAgent);
    if (answer.status !== 200) return answer.status;
    const records = (await answer.text()).split("\n\n").filter(Boolean);
    return records.map((record) => /^Package: (.*)\nVersion: (.*)$/m.exec(record)?.slice(1).join(" "));
  };
  return { repository, at, send, listed };
}

describe("a binary for Linux", () => {
  test("is published below its distribution, architecture and version of R, next to the sources", async () => {
    const { at, send, listed } = await repositoryOfItsOwn();
    expect((await send("tidepool", "1.0")).http).toBe(201);
    const stored = await send("tidepool", "1.0", { ...jammy, rVersion: "4.2.1" });
    expect(stored).toMatchObject({ http: 201, messageCode: "success.resource.created" });
    const { data } = await admin.get(`/r/packages/${stored.data.packageBag.id}`);
    expect(data).toMatchObject({ binary: true, rversion: "4.2", architecture: "x86_64", distribution: "jammy" });
    expect(data.otherFiles).toEqual([expect.objectContaining({ binary: false, distribution: null })]);

    const folder = "bin/linux/jammy/x86_64/4.2";
    expect(await listed(folder)).toEqual(["tidepool 1.0"]);
    expect(await (await at(`${folder}/PACKAGES`)).text()).toMatch(/^Built: R 4\.2\.2; x86_64-pc-linux-gnu; /m);
    const [index, binary, source] = await Promise.all(
      [`${folder}/PACKAGES.gz`, `${folder}/tidepool_1.0.tar.gz`, "src/contrib/tidepool_1.0.tar.gz"].map((path) =>
        at(path),
      ),
    );
    expect(gunzipSync(new Uint8Array((await index?.arrayBuffer()) ?? new ArrayBuffer(0))).toString()).toContain(
      "tidepool",
    );
    expect(index?.headers.get("content-type")).toBe("application/gzip");
    expect([binary?.status, source?.status]).toEqual([200, 200]);
    expect(binary?.headers.get("etag")).not.toBe(source?.headers.get("etag"));
    expect(await (await at("src/contrib/PACKAGES")).text()).not.toContain("Built");
    for (const other of ["bin/linux/jammy/x86_64/4.3", "bin/linux/noble/x86_64/4.2", "__proto__", "bin"])
      expect(await listed(other)).toBe(404);
  });

  test("for R 4.2.1 is in the folder of 4.2, where it is a duplicate of one for 4.2", async () => {
    const { send, listed } = await repositoryOfItsOwn();
    expect((await send("tidepool", "1.0", { ...jammy, rVersion: "4.2.1" })).http).toBe(201);
    expect(await listed("bin/linux/jammy/x86_64/4.2")).toEqual(["tidepool 1.0"]);
    expect(await listed("bin/linux/jammy/x86_64/4.2.1")).toBe(404);
    expect((await send("tidepool", "1.0", jammy)).messageCode).toBe("warning.package.duplicate");
  });

  test("of one version coexists with its source and with that for another distribution", async () => {
    const { send, listed } = await repositoryOfItsOwn();
    for (const target of [{}, jammy, { ...jammy, distribution: "noble" }])
      expect((await send("tidepool", "1.0", target)).http).toBe(201);
    for (const folder of ["src/contrib", "bin/linux/jammy/x86_64/4.2", "bin/linux/noble/x86_64/4.2"])
      expect(await listed(folder)).toEqual(["tidepool 1.0"]);
  });

  test("is distinguished by its system: each has a newest version of its own", async () => {
    const { at, send, listed } = await repositoryOfItsOwn();
    await send("tidepool", "1.0", jammy);
    await send("tidepool", "0.9", jammy);
    await send("tidepool", "1.1", { ...jammy, distribution: "noble", rVersion: "4.4" }, builtFor("4.4.1"));
    expect((await send("tidepool", "1-0", { ...jammy, rVersion: "4.2.3" })).messageCode).toBe(
      "warning.package.duplicate",
    );
    expect(await listed("bin/linux/jammy/x86_64/4.2")).toEqual(["tidepool 1.0"]);
    expect(await listed("bin/linux/noble/x86_64/4.4")).toEqual(["tidepool 1.1"]);
    const archived = "bin/linux/jammy/x86_64/4.2/Archive/tidepool/tidepool_0.9.tar.gz";
    expect((await at(archived)).status).toBe(200);
    expect((await at("bin/linux/jammy/x86_64/4.2/Meta/archive.rds")).status).toBe(200);
    expect((await at("src/contrib/Meta/archive.rds")).status).toBe(404);
  });

  test("takes the index of its folder with it when it is the last one", async () => {
    const { send, listed } = await repositoryOfItsOwn();
    const { data } = await send("tidepool", "1.0", jammy);
    await send("driftwood", "1.0");
    expect(await listed("bin/linux/jammy/x86_64/4.2")).toEqual(["tidepool 1.0"]);
    await admin.patch(`/r/packages/${data.packageBag.id}`, [replace("/deleted", true)]);
    expect(await listed("bin/linux/jammy/x86_64/4.2")).toBe(404);
    expect(await listed("src/contrib")).toEqual(["driftwood 1.0"]);
  });
});

describe("what R finds at linux/{distribution}", () => {
  test("are the matching binaries, and sources for everyone else", async () => {
    const { at, send, listed } = await repositoryOfItsOwn();
    await send("tidepool", "1.0");
    await send("tidepool", "2.0");
    await send("driftwood", "1.0");
    await send("tidepool", "1.5", jammy);
    for (const address of ["linux/jammy/src/contrib", "__linux__/jammy/latest/src/contrib"]) {
      expect(await listed(address, agentOf("4.2.2"))).toEqual(["tidepool 1.5"]);
      for (const other of [undefined, "libcurl/7.88.1", agentOf("4.3.0"), agentOf("4.2.2", "aarch64"), "R ("])
        expect(await listed(address, other)).toEqual(["driftwood 1.0", "tidepool 2.0"]);
      expect(await listed(address.replace("jammy", "noble"), agentOf("4.2.2"))).toEqual([
        "driftwood 1.0",
        "tidepool 2.0",
      ]);
    }
    const file = (path: string) => at(`linux/jammy/src/contrib/${path}`, agentOf("4.2.2"));
    const [binary, source, archived, none] = await Promise.all(
      ["tidepool_1.5.tar.gz", "driftwood_1.0.tar.gz", "Archive/tidepool/tidepool_1.0.tar.gz", "tidepool_9.tar.gz"].map(
        file,
      ),
    );
    expect([binary, source, archived, none].map((answer) => answer?.status)).toEqual([200, 200, 200, 404]);
    for (const answer of [binary, source, none]) expect(answer?.headers.get("vary")).toContain("User-Agent");
    expect((await at("src/contrib/driftwood_1.0.tar.gz")).headers.get("vary") ?? "").not.toContain("User-Agent");
  });

  test("include sources that are newer or without binaries, when the repository redirects to them", async () => {
    const { at, repository, send, listed } = await repositoryOfItsOwn({ redirectToSource: true });
    await send("tidepool", "1.0", jammy);
    await send("tidepool", "1.0");
    await send("driftwood", "1.0");
    const jammys = () => listed("linux/jammy/src/contrib", agentOf("4.2.2"));
    expect(await jammys()).toEqual(["driftwood 1.0", "tidepool 1.0"]);
    const text = await (await at("linux/jammy/src/contrib/PACKAGES", agentOf("4.2.2"))).text();
    expect(text.match(/^Built: /gm)).toHaveLength(1);
    const matrix = await (await at("linux/jammy/src/contrib/PACKAGES.rds", agentOf("4.2.2"))).arrayBuffer();
    const { values } = readRds(gunzipSync(new Uint8Array(matrix)));
    // Column by column: what the source of driftwood was built for is not known.
    expect(values.slice(-2)).toEqual([null, expect.stringMatching(/^R 4\.2\.2; /)]);
    const sources = await (await at("src/contrib/PACKAGES.rds")).arrayBuffer();
    expect(gunzipSync(new Uint8Array(sources)).includes("Built")).toBe(false);

    await send("tidepool", "1.1");
    expect(await jammys()).toEqual(["driftwood 1.0", "tidepool 1.1"]);
    const file = (path: string) => at(`linux/jammy/src/contrib/${path}`, agentOf("4.2.2"));
    expect((await file("tidepool_1.1.tar.gz")).status).toBe(200);
    expect((await at("bin/linux/jammy/x86_64/4.2/Archive/tidepool/tidepool_1.0.tar.gz")).status).toBe(200);

    await admin.patch(`/r/repositories/${repository.id}`, [replace("/redirectToSource", false)]);
    expect(await jammys()).toEqual(["tidepool 1.0"]);
  });

  test("stays as it was under the number of an earlier state", async () => {
    const { repository, send, listed } = await repositoryOfItsOwn();
    await send("tidepool", "1.0", jammy);
    const { data } = await admin.get(`/repositories/${repository.id}/snapshots`);
    const { serial } = data.snapshots[0];
    await send("tidepool", "1.1", jammy);
    expect(await listed(`@${serial}/linux/jammy/src/contrib`, agentOf("4.2.2"))).toEqual(["tidepool 1.0"]);
    expect(await listed("linux/jammy/src/contrib", agentOf("4.2.2"))).toEqual(["tidepool 1.1"]);
  });
});

describe("a binary", () => {
  test("requires all build properties, which a source must not have", async () => {
    const { send } = await repositoryOfItsOwn();
    const { distribution: _, ...incomplete } = jammy;
    expect(await send("tidepool", "1.0", incomplete)).toMatchObject({
      http: 422,
      data: "error.missing.data.for.binary.package",
    });
    expect(await send("tidepool", "1.0", { rVersion: "" })).toMatchObject({
      http: 422,
      data: "error.parameters.not.allowed.for.non.binary.package",
    });
    expect(await send("tidepool", "1.0", { ...jammy, architecture: "x86" })).toMatchObject({
      http: 422,
      data: ['"architecture.not.allowed", "invalid.architecture"'],
    });
    expect(await send("tidepool", "1.0", jammy, { Built: "" })).toMatchObject({ http: 422, data: ['"empty.built"'] });
  });

  test("that is sent as a source is refused, and so is a source that is sent as a binary", async () => {
    const { repository, send } = await repositoryOfItsOwn();
    const binary = await smallRPackage("tidepool", "1.0", builtFor("4.2.2"));
    expect(await admin.upload("R", binary, { repository: repository.name })).toMatchObject({
      http: 422,
      data: expect.arrayContaining(["unexpected.binary.package"]),
    });
    expect(await send("tidepool", "1.0", jammy, {} as { Built: string })).toMatchObject({
      http: 422,
      data: ['"empty.built"'],
    });
  });

  test("named by its platform, as R CMD INSTALL --build does, is published as name_version.tar.gz", async () => {
    const { repository, at } = await repositoryOfItsOwn();
    const { bytes } = await smallRPackage("tidepool", "1.0", builtFor("4.2.2"));
    const fileName = "tidepool_1.0_R_x86_64-pc-linux-gnu.tar.gz";
    expect((await admin.upload("R", { fileName, bytes }, { repository: repository.name, ...jammy })).http).toBe(201);
    expect((await at("bin/linux/jammy/x86_64/4.2/tidepool_1.0.tar.gz")).status).toBe(200);
    expect((await at(`bin/linux/jammy/x86_64/4.2/${fileName}`)).status).toBe(404);
  });

  test("gets no manual, and reports that if one was requested", async () => {
    const { repository } = await repositoryOfItsOwn();
    const send = async (version: string, more: Record<string, string>) =>
      (await admin.upload("R", await smallRPackage("tidepool", version, builtFor("4.2.2")), {
        repository: repository.name,
        ...jammy,
        ...more,
      })) as { http: number; status: string; messageCode: string };
    const remark = { http: 201, status: "WARNING", messageCode: "generate.manual.not.supported" };
    expect(await send("1.1", { generateManual: "true" })).toMatchObject(remark);
    expect(await send("1.2", { generateManual: "false" })).toMatchObject({ http: 201, status: "SUCCESS" });
  });

  test("for macOS is published where R looks for it", async () => {
    const { repository, at, listed } = await repositoryOfItsOwn();
    const file = await smallRPackage("tidepool", "1.0", builtFor("4.5.1", "aarch64-apple-darwin20"));
    const target = { binary: "true", rVersion: "4.5", architecture: "aarch64", distribution: "big-sur-arm64" };
    const send = (fileName: string, more: Record<string, string> = {}) =>
      admin.upload(
        "R",
        { ...file, fileName },
        { repository: repository.name, generateManual: "false", ...target, ...more },
      );
    expect((await send("tidepool_1.0.tar.gz")).data).toEqual(["unsupported.package.format"]);
    expect((await send("tidepool_1.0.tgz", { distribution: "windows" })).data).toEqual(["unsupported.package.format"]);
    expect((await send("tidepool_1.0.tgz", { architecture: "x86_64" })).data).toEqual(['"invalid.architecture"']);
    const stored = await send("tidepool_1.0.tgz");
    expect(stored.http).toBe(201);
    const folder = "bin/macosx/big-sur-arm64/contrib/4.5";
    expect(await listed(folder)).toEqual(["tidepool 1.0"]);
    for (const path of [
      `/repo/${repository.name}/${folder}/tidepool_1.0.tgz`,
      `/api/v2/manager/r/packages/${stored.data.packageBag.id}/download/tidepool_1.0.tgz`,
    ]) {
      const answer = await admin.request(path);
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/gzip"]);
    }
    expect((await at(`${folder}/tidepool_1.0.tar.gz`)).status).toBe(404);
  });
});
