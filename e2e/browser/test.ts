import { type Product, type ProductOptions, startProduct } from "@packhouse/server/testing/product";
import { test as base, expect } from "@playwright/test";
import { noteRequests } from "./quiet.ts";

/** Tests on a product that each worker starts once and its specs share. */
export const testOn = (options: ProductOptions) =>
  base.extend<object, { product: Product }>({
    product: [
      // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what is asked for
      async ({}, use) => {
        await using product = await startProduct(options);
        await use(product);
      },
      { scope: "worker", timeout: 300_000 },
    ],
    baseURL: ({ product }, use) => use(product.address),
    async page({ page: kept, context }, use) {
      // The renderer lives as long as the page that the context keeps, and has the console's scripts compiled.
      expect(kept.url()).toBe("about:blank");
      const page = await context.newPage();
      noteRequests(page);
      await use(page);
      // An answer that a test changes may be on its way when the test ends.
      await page.unrouteAll({ behavior: "ignoreErrors" });
      // What the console keeps for a tab ends with it; the context is emptied by Playwright.
      await page.close();
    },
  });

/** On the demo: tests that change something choose things that no other spec looks at. */
export const test = testOn({ demo: true, environment: { PACKHOUSE_UNDO_SECONDS: "2" } });
