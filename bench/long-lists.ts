import { inDatabaseOf, startProduct } from "@packhouse/server/testing/product";
import { createManyRecords } from "@packhouse/server/testing/records/many-records";
import type { Page } from "@playwright/test";
import { type Busy, slowPage } from "../e2e/slow-browser.ts";
import { addRowsInTens, openStill } from "../e2e/still-page.ts";
import { quantile } from "./organization.ts";

const credentials = { login: "admin", password: "packhouse-demo" };
const slowdown = 4;
const repeats = Number(process.env.BENCH_REPEATS ?? 3);
/** Milliseconds: a longer frame is noticed. */
const aim = 50;

/** How long a list of 100 rows keeps a slow browser from reacting, while it scrolls and while a filter replaces its rows. */
export async function longLists(): Promise<string[]> {
  await using product = await startProduct({ demo: true });
  await inDatabaseOf(product, (db) =>
    createManyRecords(db, {
      users: 20,
      repositories: 10,
      repositoryMaintainers: 10,
      packageMaintainers: 10,
      packages: 2000,
      events: 100,
    }),
  );
  return await longListsAt(product.address);
}

export async function longListsAt(address: string): Promise<string[]> {
  await using browser = await slowPage({ address, ...credentials }, slowdown);
  const { page, during } = browser;
  const complete = async () => {
    await page.locator("[data-testid=table-packages][aria-busy=false] [data-row]:nth-child(100)").waitFor();
    await page.waitForTimeout(500);
  };
  const found: Record<string, Busy[]> = {};
  const timed = async (what: string, action: () => Promise<void>) => {
    found[what] = [...(found[what] ?? []), await during(action)];
  };
  for (let repeat = 0; repeat < repeats; repeat += 1) {
    await page.goto("about:blank");
    await timed("opened", async () => {
      await page.goto(`${address}/packages?size=100`);
      await complete();
    });
    await timed("scrolled", () => scroll(page));
    for (const searched of ["a", ""])
      await timed("filtered", async () => {
        const answered = page.waitForResponse((response) => response.url().includes("/packages?"));
        await page.getByTestId("filter-search").fill(searched);
        await answered;
        await complete();
      });
    await openStill(page, `${address}/still`);
    await complete();
    await timed("scrolled, in a page of the same elements without scripts", () => scroll(page));
    await timed("added ten at a time, in that page", () => addRowsInTens(page));
  }
  return Object.entries(found).map(([what, some]) => {
    const middle = (of: (busy: Busy) => number) => quantile(some.map(of), 0.5).toFixed(0);
    return `100 rows ${what}, ${slowdown} times slower: longest task ${middle((it) => it.longestProcessorTime)} ms of processor time (aim ${aim}), ${middle((it) => it.longestTask)} ms by the clock; all tasks ${middle((it) => it.processorTime)} ms of processor time`;
  });
}

async function scroll(page: Page): Promise<void> {
  await page.getByTestId("table-packages").hover();
  for (let step = 0; step < 40; step += 1) {
    await page.mouse.wheel(0, step < 20 ? 250 : -250);
    await page.waitForTimeout(50);
  }
}
