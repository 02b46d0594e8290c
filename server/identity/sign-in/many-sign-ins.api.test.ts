import { isLong } from "@packhouse/fixtures/long-form";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readSteadily } from "../../testing/hostile-input/steady-reader.ts";
import { startPackhouse, type TestPackhouse } from "../../testing/packhouse.ts";
import { smallRPackage } from "../../testing/small-packages.ts";

let it: TestPackhouse;
beforeAll(async () => {
  it = await startPackhouse({ settings: { trustedProxies: ["127.0.0.1"] } });
});
afterAll(() => it.close());

test.runIf(isLong)(
  "five hundred concurrent sign-ins do not delay a file; those that would wait too long are refused",
  {
    timeout: 120_000,
  },
  async () => {
    const admin = await it.as(it.admin);
    await it.given.repository("R", { name: "north" });
    // Incompressible, so that downloads have the full size.
    const noise = Array.from({ length: 28_000 }, (_, index) => ((index * 7919) % 251).toString(36)).join("");
    await admin.upload("R", await smallRPackage("tidepool", "1.0", {}, { "data/noise": noise }), {
      repository: "north",
    });
    const file = `${it.address}/repo/north/src/contrib/tidepool_1.0.tar.gz`;

    const signIn = async (index: number) => {
      const answer = await fetch(`${it.address}/login`, {
        method: "POST",
        headers: { "content-type": "application/json", "x-forwarded-for": `192.0.${index >> 8}.${index & 255}` },
        body: JSON.stringify({ login: `nobody-${index}`, password: "a guess" }),
      });
      const { messageCode } = (await answer.json()) as { messageCode: string };
      return { http: answer.status, messageCode, retryAfter: Number(answer.headers.get("retry-after")) };
    };
    const { result, reader } = await readSteadily([file], () =>
      Promise.all(Array.from({ length: 500 }, (_, i) => signIn(i))),
    );
    expect(reader).toMatchObject({ refused: 0 });
    // On a busy machine; with all threads occupied it takes twenty seconds or more.
    expect(reader.p99Ms).toBeLessThan(10_000);

    const refused = result.filter(({ http }) => http === 429);
    expect(refused.length).toBeGreaterThan(100);
    for (const answer of refused) expect(answer).toMatchObject({ messageCode: "too.many.requests", retryAfter: 2 });
    expect(result.filter(({ http }) => http === 401).length).toBeGreaterThan(10);
    // Later requests are served.
    const known = await it.given.person("after");
    const body = JSON.stringify({ login: known.login, password: "password" });
    const after = await fetch(`${it.address}/login`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body,
    });
    expect(after.status).toBe(200);
  },
);
