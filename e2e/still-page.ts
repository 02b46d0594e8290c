import type { Page } from "@playwright/test";

/**
 * Opens what a page shows now, without its scripts, at another address: what takes time there takes it in the browser,
 * whatever puts the elements into the page.
 */
export async function openStill(page: Page, address: string): Promise<void> {
  await page.locator("script, link[rel=modulepreload]").evaluateAll((scripts) => {
    for (const script of scripts) script.remove();
  });
  const body = await page.content();
  await page.route(address, (route) => route.fulfill({ body, contentType: "text/html" }));
  await page.goto(address);
  await page.unroute(address);
}

/** Takes the rows out of the table and adds them again, ten in a frame. */
export const addRowsInTens = (page: Page): Promise<void> =>
  page.locator("tbody").evaluate(async (body) => {
    const frame = () =>
      new Promise((resolve) => body.ownerDocument.defaultView?.requestAnimationFrame(() => setTimeout(resolve)));
    const rows = [...body.children];
    body.replaceChildren();
    for (let start = 0; start < rows.length; start += 10) {
      await frame();
      body.append(...rows.slice(start, start + 10));
    }
    await frame();
  });
