import type { Page } from "@playwright/test";

// Texts, since benchmarks are compiled without the types of a browser.
const removeScripts = `for (const script of document.querySelectorAll("script, link[rel=modulepreload]")) script.remove();`;
const addAgain = `(async () => {
  const frame = () => new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)));
  const body = document.querySelector("tbody");
  const rows = [...body.children];
  body.replaceChildren();
  for (let start = 0; start < rows.length; start += 10) {
    await frame();
    body.append(...rows.slice(start, start + 10));
  }
  await frame();
})()`;

/**
 * Opens what a page shows now, without its scripts, at another address: what takes time there takes it in the browser,
 * whatever puts the elements into the page.
 */
export async function openStill(page: Page, address: string): Promise<void> {
  await page.evaluate(removeScripts);
  const body = await page.content();
  await page.route(address, (route) => route.fulfill({ body, contentType: "text/html" }));
  await page.goto(address);
  await page.unroute(address);
}

/** Takes the rows out of the table and adds them again, ten in a frame. */
export async function addRowsInTens(page: Page): Promise<void> {
  await page.evaluate(addAgain);
}
