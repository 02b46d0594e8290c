import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Client, startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";

let packhouse: TestPackhouse;
let admin: Client;
let user: Client;
beforeAll(async () => {
  packhouse = await startPackhouse({ settings: { "replacing.packages": false } });
  admin = await packhouse.as(packhouse.admin);
  user = await packhouse.as(await packhouse.given.person("somebody"));
});
afterAll(() => packhouse.close());

describe("the configuration", () => {
  test("shows every user what the server allows", async () => {
    expect((await user.get("/config")).data).toEqual({
      declarativeModeEnabled: false,
      deletingPackagesEnabled: true,
      deletingRepositoriesEnabled: true,
      replacingPackagesEnabled: false,
      accessTokenLifetimeConfigurable: true,
      accessTokenLifetimeDefault: 30,
      accessTokenLifetimeMaximum: 365,
      generateManuals: false,
      repositoryNameValidationRegex: {
        general: ".+",
        technology: { python: expect.any(String), r: expect.any(String) },
      },
      supportedLanguages: ["en-US", "pl-PL"],
      mailEnabled: false,
    });
    expect((await user.get("/r/config")).data.allowedArchitectures).toEqual(["x86_64", "x86"]);
    expect((await user.get("/version")).data).toMatch(/^\d+\.\d+\.\d+/);
    expect((await packhouse.anonymous.get("/config")).http).toBe(401);
  });
});

describe("the check of a server address", () => {
  const check = async (body: unknown, who = admin) => {
    const { http, messageCode, data } = await who.post("/check-server-address", body);
    return { http, messageCode, data };
  };

  test("finds any usable address healthy, because this server publishes it", async () => {
    for (const body of [{ serverAddress: "http://store:8080/r/north" }, "https://store.example.org/r/north"])
      expect(await check(body)).toEqual({ http: 200, messageCode: "success.request.processed", data: "OK" });
  });

  test.each([{}, { serverAddress: "" }, { serverAddress: null }, { serverAddress: "ftp://store/r" }, "store"])(
    "refuses %j",
    async (body) => {
      expect(await check(body)).toEqual({ http: 422, messageCode: "error.invalid.serveraddress", data: null });
    },
  );

  test("refuses an address without a path", async () => {
    for (const serverAddress of ["http://store:8080", "http://store:8080/"])
      expect((await check({ serverAddress })).messageCode).toBe("error.unhealthy.serveraddress");
  });

  test("connects to the servers listed as targets, and to no others", async () => {
    let [status, text, asked] = [200, "OK\n", ""];
    const store = createServer((request, response) => {
      asked = request.url ?? "";
      response.writeHead(status, { location: "/elsewhere" }).end(text);
    });
    await new Promise<void>((listening) => store.listen(0, "127.0.0.1", listening));
    const { port } = store.address() as AddressInfo; // it listens on a port
    const origin = `http://127.0.0.1:${port}`;
    await using listed = await startPackhouse({ settings: { "publication.targets": [origin] } });
    const client = await listed.as(listed.admin);
    const ask = async () => (await client.post("/check-server-address", `${origin}/r/north/`)).messageCode;

    expect([await ask(), asked]).toEqual(["success.request.processed", "/r/north/status"]);
    text = "on fire";
    expect(await ask()).toBe("error.unhealthy.serveraddress");
    [status, text] = [302, "OK"];
    expect(await ask()).toBe("error.unhealthy.serveraddress");
    asked = "";
    expect((await check(`${origin}/r/north`)).http).toBe(200);
    expect(asked).toBe("");
    await new Promise((closed) => store.close(closed));
    expect(await ask()).toBe("error.unhealthy.serveraddress");
  });

  test("is for administrators, and refuses unknown properties", async () => {
    expect((await check({ serverAddress: "http://store/r" }, user)).http).toBe(403);
    expect((await check({ serverAddress: "http://store/r", port: 1 })).messageCode).toBe("bad.request");
  });
});
