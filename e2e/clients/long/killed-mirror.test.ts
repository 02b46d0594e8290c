import { declarationFolder } from "@packhouse/server/testing/declared";
import { type ApiUser, freePort, type Product, signIn, startProduct } from "@packhouse/server/testing/product";
import { startUpstream } from "@packhouse/server/testing/servers/upstream-server";
import { smallRPackage } from "@packhouse/server/testing/small-packages";
import { expect, test, vi } from "vitest";

const password = "administrator's password";

test("a synchronization whose server is killed is taken up by the next start, and fetches only what is missing", async () => {
  await using upstream = await startUpstream();
  await using folder = await declarationFolder();
  const names = Array.from({ length: 12 }, (_, index) => `tide${index}`);
  upstream.putRPackages(await Promise.all(names.map((name) => smallRPackage(name, "1.0"))));
  await folder.declare("north", { mirrors: [{ name: "upstream", uri: upstream.address }] });
  const port = await freePort();
  const start = (dataDir?: string): Promise<Product> =>
    startProduct({
      port,
      ...(dataDir ? { dataDir } : {}),
      environment: {
        PACKHOUSE_ADMIN_PASSWORD: password,
        PACKHOUSE_DECLARATIVE_ENABLED: "true",
        PACKHOUSE_DECLARATIVE_PATHS: folder.path,
        PACKHOUSE_MIRRORS_ALLOW_PRIVATE_ADDRESSES: "true",
        PACKHOUSE_MIRRORS_PARALLEL: "1",
        PACKHOUSE_MIRRORS_REQUESTS_PER_SECOND: "10",
      },
    });

  let product = await start();
  try {
    let administrator = await signIn(product, "admin", password);
    await administrator.call("POST", "/r/repositories/1/synchronize-mirrors");
    await until(async () => (await storedIn(administrator)) >= 3);
    await product.kill("SIGKILL");
    const seen = upstream.takeRequests().filter(({ path }) => path.includes("_1.0")).length;
    expect(seen).toBeLessThan(names.length);

    product = await start(product.dataDir);
    administrator = await signIn(product, "admin", password);
    await until(async () => (await storedIn(administrator)) === names.length);
    // What was on its way when the server was killed comes once more, nothing else.
    const again = upstream.takeRequests().filter(({ path }) => path.includes("_1.0")).length;
    expect(seen + again).toBeLessThanOrEqual(names.length + 1);
    await until(async () => {
      const { data } = await administrator.call("GET", "/r/repositories/1/synchronization-status");
      return (data as { pending: boolean }).pending === false;
    });
  } finally {
    await product.stop();
  }
}, 120_000);

async function storedIn(administrator: ApiUser): Promise<number> {
  const { data } = await administrator.call("GET", "/packages?size=1");
  return (data as { page: { totalElements: number } }).page.totalElements;
}

const until = (holds: () => Promise<boolean>) => vi.waitUntil(holds, { timeout: 60_000, interval: 100 });
