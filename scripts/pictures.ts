import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { chromium } from "@playwright/test";
import { startProduct } from "../server/testing/product.ts";
import { provideConsole } from "./console-build.ts";
import { project } from "./stages.ts";

/** Takes the pictures that the README shows, of the demo in a real browser. */
const folder = join(project, "docs/pictures");
await mkdir(folder, { recursive: true });
await provideConsole();
await using product = await startProduct({ demo: true });
const browser = await chromium.launch({
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: ["--no-sandbox", "--disable-gpu"],
});
const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
await page.goto(`${product.address}/login`);
await page.getByTestId("field-login").fill("admin");
await page.getByTestId("field-password").fill("packhouse-demo");
await page.getByTestId("login-submit").click();
await page.getByTestId("table-packages").waitFor();
// The greeting goes by itself.
await page.waitForTimeout(4000);

const pictures = {
  packages: "/packages?technology=R",
  submissions: "/submissions",
  package: "/packages?search=gradeline",
};
for (const [name, address] of Object.entries(pictures)) {
  await page.goto(product.address + address);
  await page.getByRole("rowheader").first().waitFor();
  if (name === "package") await page.getByRole("rowheader").nth(1).getByRole("link").click();
  await page.waitForLoadState("networkidle");
  await page.waitForTimeout(500);
  await page.screenshot({ path: join(folder, `${name}.png`) });
}
await browser.close();
