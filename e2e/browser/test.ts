import { startProduct } from "@packhouse/server/testing/product";
import { test as base } from "@playwright/test";

/**
 * Each worker has a demo of its own, which its specs share: those that change something choose things that no other spec
 * looks at.
 */
export const test = base.extend<object, { productAddress: string }>({
  productAddress: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what is asked for
    async ({}, use) => {
      await using product = await startProduct({ demo: true, environment: { PACKHOUSE_UNDO_SECONDS: "2" } });
      await use(product.address);
    },
    { scope: "worker", timeout: 120_000 },
  ],
  baseURL: ({ productAddress }, use) => use(productAddress),
  async page({ page }, use) {
    await use(page);
    // An answer that a test changes may be on its way when the test ends.
    await page.unrouteAll({ behavior: "ignoreErrors" });
  },
});
