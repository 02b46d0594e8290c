import { randomBytes } from "node:crypto";
import { request } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { gzip, tar } from "@packhouse/fixtures/archive-writing";
import { isLong } from "@packhouse/fixtures/long-form";
import { type ApiUser, freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { expect, test, vi } from "vitest";
import { z } from "zod";

const password = "administrator's password";

async function started(environment: Record<string, string> = {}, dataDir?: string): Promise<[Product, ApiUser]> {
  const product = await startProduct({
    port: await freePort(),
    ...(dataDir ? { dataDir } : {}),
    environment: { PACKHOUSE_ADMIN_PASSWORD: password, PACKHOUSE_GENERATE_MANUALS: "false", ...environment },
  });
  return [product, await signIn(product, "admin", password)];
}

const ended = (product: Product) =>
  new Promise<number | null>((done) => product.process.once("exit", (code) => done(code)));

interface SlowUpload {
  /** Sends the rest; gives the answer. */
  finish(): Promise<{ status: number; connection: string | undefined; body: string }>;
}

/** An upload of which only the first half has been sent. */
async function beginUpload(product: Product, user: ApiUser, repository: string, name: string): Promise<SlowUpload> {
  const file = await smallRPackage(name, "1.0", {}, { "R/noise.R": randomBytes(200_000).toString("base64") });
  const form = new FormData();
  form.append("repository", repository);
  form.append("file", new Blob([new Uint8Array(file.bytes)], { type: file.type }), file.fileName);
  const encoded = new Request("http://form", { method: "POST", body: form });
  const bytes = Buffer.from(await encoded.arrayBuffer());
  const call = request(`${product.address}/api/v2/manager/r/submissions`, {
    method: "POST",
    headers: {
      authorization: `Bearer ${user.token}`,
      "content-type": encoded.headers.get("content-type") ?? "",
      "content-length": bytes.length,
      connection: "keep-alive",
    },
  });
  const answered = new Promise<Awaited<ReturnType<SlowUpload["finish"]>>>((resolve, reject) => {
    call.once("error", reject);
    call.once("response", async (response) => {
      const body = await text(response);
      resolve({ status: response.statusCode ?? 0, connection: response.headers.connection, body });
    });
  });
  answered.catch(() => {}); // the caller who finishes it gets the error
  const half = Math.floor(bytes.length / 2);
  await new Promise<void>((sent) => call.write(bytes.subarray(0, half), () => sent()));
  return {
    finish() {
      call.end(bytes.subarray(half));
      return answered;
    },
  };
}

test("a server that gets SIGTERM stores an upload that is on its way, completes a download, and ends with 0", async () => {
  const [product, administrator] = await started();
  await administrator.createRepository("R", "harbor");
  const incompressible = gzip(
    await tar(
      [
        {
          name: "bulky/DESCRIPTION",
          bytes: Buffer.from(
            "Package: bulky\nVersion: 1.0\nTitle: Bulky\nAuthor: Ada Fern\nMaintainer: Ada Fern <ada@example.org>\nDescription: Much.\nLicense: GPL-3\n",
          ),
        },
        { name: "bulky/NAMESPACE", bytes: Buffer.from("") },
        { name: "bulky/inst/noise", bytes: randomBytes(24_000_000) },
      ],
      new Date(0),
    ),
  );
  await administrator.upload("R", "harbor", { fileName: "bulky_1.0.tar.gz", bytes: incompressible });

  const download = await fetch(`${product.address}/repo/harbor/src/contrib/bulky_1.0.tar.gz`);
  const reader = download.body?.getReader();
  let received = (await reader?.read())?.value?.length ?? 0;
  const upload = await beginUpload(product, administrator, "harbor", "onitsway");
  // fixed wait: nothing shows that the half has arrived
  await sleep(300);

  const exit = ended(product);
  product.process.kill("SIGTERM");
  // No new connection is taken, while the two go on.
  await vi.waitUntil(
    () =>
      fetch(`${product.address}/actuator/health`).then(
        () => false,
        () => true,
      ),
    { timeout: 10_000 },
  );
  const answer = await upload.finish();
  expect([answer.status, answer.connection]).toEqual([201, "close"]);
  for (let chunk = await reader?.read(); chunk && !chunk.done; chunk = await reader?.read())
    received += chunk.value.length;
  expect(received).toBe(incompressible.length);
  expect(await exit).toBe(0);

  const [again, user] = await started({}, product.dataDir);
  try {
    const { data } = await user.call("GET", "/r/packages?repository=harbor&name=onitsway");
    expect(z.object({ content: z.array(z.unknown()) }).parse(data).content).toHaveLength(1);
    const index = await (await fetch(`${again.address}/repo/harbor/src/contrib/PACKAGES`)).text();
    expect(index).toContain("Package: onitsway\n");
  } finally {
    await again.stop();
  }
}, 120_000);

test.runIf(isLong)(
  "a balancer has time to notice: the server says that it is not ready, and still serves",
  async () => {
    const [product, administrator] = await started({ PACKHOUSE_SHUTDOWN_DELAY_MS: "5000" });
    try {
      await administrator.createRepository("R", "harbor");
      const exit = ended(product);
      const signaledAt = performance.now();
      product.process.kill("SIGTERM");
      const health = () => fetch(`${product.address}/actuator/health`);
      await vi.waitUntil(async () => (await health()).status === 503, { timeout: 4_500, interval: 20 });
      const index = await fetch(`${product.address}/repo/harbor/src/contrib/PACKAGES`);
      expect([index.status, index.headers.get("connection")]).toEqual([200, "close"]);
      expect(await exit).toBe(0);
      expect(performance.now() - signaledAt).toBeGreaterThan(4_900);
    } finally {
      await product.stop();
    }
  },
  60_000,
);

test.runIf(isLong)(
  "requests that do not end in time are cut, and a second signal ends immediately",
  async () => {
    const [hasty, administrator] = await started({ PACKHOUSE_SHUTDOWN_TIMEOUT_SECONDS: "1" });
    try {
      await administrator.createRepository("R", "harbor");
      const upload = await beginUpload(hasty, administrator, "harbor", "toolate");
      const exit = ended(hasty);
      hasty.process.kill("SIGTERM");
      expect(await exit).toBe(0);
      await expect(upload.finish()).rejects.toThrow();
    } finally {
      await hasty.stop();
    }

    const [patient, user] = await started();
    try {
      await user.createRepository("R", "harbor");
      await beginUpload(patient, user, "harbor", "nevermind");
      // fixed wait: nothing shows that the half has arrived
      await sleep(300);
      const exit = ended(patient);
      patient.process.kill("SIGTERM");
      // The same signal by another way is no second one.
      // fixed wait: as between two deliveries of one signal
      await sleep(200);
      patient.process.kill("SIGTERM");
      // fixed wait: that it goes on has no other sign
      await sleep(1_500);
      expect(patient.process.exitCode).toBe(null);
      patient.process.kill("SIGTERM");
      const signaledAt = performance.now();
      expect(await exit).toBe(1);
      expect(performance.now() - signaledAt).toBeLessThan(20_000);
    } finally {
      // Its database lives on, and the process that takes it over ends it in order.
      const [heir] = await started({}, patient.dataDir);
      await heir.stop();
    }
  },
  120_000,
);
