import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startUpstream, type UpstreamServer } from "../../../testing/servers/upstream-server.ts";
import { createUpstreamClient, type UpstreamClient } from "./upstream-client.ts";

const settings = {
  "mirrors.allowPrivateAddresses": false,
  "mirrors.parallel": 2,
  "mirrors.requestsPerSecond": 1000,
} as const;
const nothingKnown = { etag: null, lastModified: null };
const { signal } = new AbortController();

let upstream: UpstreamServer;
let client: UpstreamClient | undefined;
beforeEach(async () => {
  upstream = await startUpstream();
  upstream.put("/file", "content");
});
afterEach(async () => {
  client?.close();
  await upstream[Symbol.asyncDispose]();
});

type Options = Parameters<typeof createUpstreamClient>[1];
const quick = { pausesMs: [10, 20], silenceMs: 500, transferMs: 10_000, slowest: { bytes: 1000, inMs: 300 } };
/** Reaches the test's upstream, but no other private address. */
const onlyUpstream = { mayReach: (address: string) => address === "127.0.0.1", limits: quick };

const read = async (address: string, options: Options = onlyUpstream, given = {}): Promise<string> => {
  client = createUpstreamClient({ ...settings, ...given }, options);
  const index = await client.readIndex(address, "*/*", nothingKnown, signal);
  return index && index !== "unchanged" ? index.bytes.toString() : String(index);
};
async function collected(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  const all: Uint8Array[] = [];
  for await (const chunk of chunks) all.push(chunk);
  return Buffer.concat(all).toString();
}
const download = async (address: string, options: Options = onlyUpstream): Promise<string> => {
  client = createUpstreamClient(settings, options);
  return collected(client.download(address, signal));
};

describe("an address", () => {
  test.for([
    ["127.0.0.1 itself", (port: number) => `http://127.0.0.1:${port}/file`],
    ["127.0.0.1 as one number", (port: number) => `http://2130706433:${port}/file`],
    ["127.0.0.1 in hexadecimal", (port: number) => `http://0x7f.1:${port}/file`],
    ["127.0.0.1 as IPv6", (port: number) => `http://[::ffff:127.0.0.1]:${port}/file`],
    ["::1", (port: number) => `http://[::1]:${port}/file`],
    ["0.0.0.0", (port: number) => `http://0.0.0.0:${port}/file`],
    ["localhost", (port: number) => `http://localhost:${port}/file`],
  ] as const)("that is not public is refused: %s", async ([, address]) => {
    await expect(read(address(upstream.port), { limits: quick })).rejects.toThrow(/is not a public address/);
    await expect(download(address(upstream.port), { limits: quick })).rejects.toThrow(/is not a public address/);
    expect(upstream.takeRequests()).toEqual([]);
  });

  test.for(["http://127.0.0.2:1/file", "http://localhost.localdomain.invalid/", "http://[::1]/"])(
    "to which a redirect leads is checked, too: %s",
    async (target) => {
      upstream.mishap("/moved", { redirect: target }, true);
      await expect(read(`${upstream.address}/moved`)).rejects.toThrow(/is not a public address|cannot be resolved/);
      await expect(download(`${upstream.address}/moved`)).rejects.toThrow(/is not a public address|cannot be resolved/);
    },
  );

  test("that is private is read where that is allowed", async () => {
    expect(await read(`${upstream.address}/file`, {}, { "mirrors.allowPrivateAddresses": true })).toBe("content");
    expect(await read(`http://localhost:${upstream.port}/file`, {}, { "mirrors.allowPrivateAddresses": true })).toBe(
      "content",
    );
  });
});

describe("an index", () => {
  test("is not sent again while it is as it was", async () => {
    client = createUpstreamClient(settings, onlyUpstream);
    const first = await client.readIndex(`${upstream.address}/file`, "*/*", nothingKnown, signal);
    if (!first || first === "unchanged") throw new Error("it was not read");
    expect(await client.readIndex(`${upstream.address}/file`, "*/*", first, signal)).toBe("unchanged");
    upstream.put("/file", "other");
    expect(await client.readIndex(`${upstream.address}/file`, "*/*", first, signal)).toMatchObject({
      bytes: Buffer.from("other"),
    });
  });

  test("is bounded", async () => {
    const limits = { ...quick, indexBytes: 5 };
    await expect(read(`${upstream.address}/file`, { ...onlyUpstream, limits })).rejects.toThrow(/more than 5 bytes/);
  });

  test("that no server answers for is given up in time", async () => {
    upstream.mishap("/file", { waitFor: new Promise(() => {}) }, true);
    await expect(read(`${upstream.address}/file`)).rejects.toThrow("it stopped responding");
    expect(upstream.takeRequests()).toHaveLength(3);
  });

  test("is requested three times, not more", async () => {
    upstream.mishap("/file", { status: 500 }, true);
    await expect(read(`${upstream.address}/file`)).rejects.toThrow("the server responded with 500");
    expect(upstream.takeRequests()).toHaveLength(3);
  });
});

describe("a download", () => {
  const long = "0123456789".repeat(50_000);

  test("that breaks each time is given up after three tries", async () => {
    upstream.put("/long", long);
    upstream.mishap("/long", { cutAfter: 70_000 }, true);
    await expect(download(`${upstream.address}/long`)).rejects.toThrow("the connection broke");
    expect(upstream.takeRequests()).toHaveLength(3);
  });

  test.for([true, false])("is whole although it broke (ranges: %s)", async (ranges) => {
    upstream.ranges = ranges;
    upstream.put("/long", long);
    upstream.mishap("/long", { cutAfter: 70_000 });
    expect(await download(`${upstream.address}/long`)).toBe(long);
  });

  test("is not put together from two states of a file", async () => {
    upstream.put("/long", long);
    upstream.mishap("/long", { cutAfter: 70_000 });
    client = createUpstreamClient(settings, onlyUpstream);
    const chunks = client.download(`${upstream.address}/long`, signal);
    await chunks.next();
    upstream.put("/long", long.toUpperCase().replaceAll("0", "x"));
    await expect(collected(chunks)).rejects.toThrow("the file changed while it was downloaded");
  });

  test("waits for its turn, and hosts get requests at the given pace", async () => {
    const paced = { ...settings, "mirrors.parallel": 3, "mirrors.requestsPerSecond": 20 };
    client = createUpstreamClient(paced, onlyUpstream);
    const { inTurn, download: from } = client;
    let running = 0;
    let most = 0;
    const began = performance.now();
    await Promise.all(
      Array.from({ length: 8 }, () =>
        inTurn(upstream.address, async () => {
          running += 1;
          most = Math.max(most, running);
          await collected(from(`${upstream.address}/file`, signal));
          running -= 1;
        }),
      ),
    );
    expect(most).toBe(2);
    expect(performance.now() - began).toBeGreaterThan(340); // seven pauses of 50 ms
  });
});

describe("a server that sends a byte now and then", () => {
  const drip = { bytes: 3, everyMs: 50 };

  test("is given up, and its transfers are tried three times", async () => {
    upstream.put("/drip", "x".repeat(10_000));
    upstream.mishap("/drip", { drip }, true);
    await expect(download(`${upstream.address}/drip`)).rejects.toThrow("it sends too slowly");
    expect(upstream.takeRequests()).toHaveLength(3);
    await expect(read(`${upstream.address}/drip`)).rejects.toThrow("it sends too slowly");
  });

  test("is given up after some time in total, even where it is fast enough", async () => {
    upstream.put("/drip", "x".repeat(10_000_000));
    upstream.mishap("/drip", { drip: { bytes: 1000, everyMs: 50 } }, true);
    // Upstream and client share a process, which may not run for a moment.
    const limits = { ...quick, transferMs: 700, slowest: { bytes: 1000, inMs: 10_000 } };
    await expect(download(`${upstream.address}/drip`, { ...onlyUpstream, limits })).rejects.toThrow("it took too long");
    expect(upstream.takeRequests()).toHaveLength(1);
  });

  test("is given up when it does so before its answer begins", async () => {
    upstream.mishap("/drip", { dripHead: drip }, true);
    await expect(download(`${upstream.address}/drip`)).rejects.toThrow("it stopped responding");
  });

  test("is waited for while it is the reader that is slow", async () => {
    const content = "x".repeat(2_000_000);
    upstream.put("/large", content);
    client = createUpstreamClient(settings, {
      ...onlyUpstream,
      limits: { ...quick, silenceMs: 20_000, slowest: { bytes: 1000, inMs: 500 } },
    });
    let received = 0;
    for await (const chunk of client.download(`${upstream.address}/large`, signal)) {
      // fixed wait: the reader is slower than the server may be
      if (received === 0) await new Promise((later) => setTimeout(later, 700));
      received += chunk.length;
    }
    expect(received).toBe(content.length);
    expect(upstream.takeRequests()).toHaveLength(1);
  });

  test("does not keep others from their turn", async () => {
    client = createUpstreamClient({ ...settings, "mirrors.parallel": 3 }, onlyUpstream);
    const { inTurn } = client;
    let release: () => void = () => {};
    const slow = new Promise<void>((done) => {
      release = done;
    });
    const order: string[] = [];
    const begun = (host: string, work: Promise<void> = Promise.resolve()) =>
      inTurn(`http://${host}/file`, async () => {
        order.push(host);
        await work;
      });
    const all = Array.from({ length: 5 }, () => begun("slow", slow));
    for (let at = 0; at < 5; at += 1) await begun("fast");
    expect(order).toEqual(["slow", "slow", "fast", "fast", "fast", "fast", "fast"]);
    release();
    await Promise.all(all);
    expect(order.filter((host) => host === "slow")).toHaveLength(5);
  });
});
