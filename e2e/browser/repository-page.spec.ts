import AxeBuilder from "@axe-core/playwright";
import { afterFirst } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const repositories = [
  { name: "stats-release", technology: "R", command: /install\.packages\("PACKAGE"/ },
  {
    name: "ml-nightly",
    technology: "Python",
    command: /^pip install --index-url ".*\/repo\/ml-nightly\/simple\/" PACKAGE/,
  },
] as const;

for (const [variant, { name, technology, command }] of repositories.entries())
  test.describe(`the address of a repository of ${technology}, opened in a browser`, afterFirst(variant), () => {
    test("shows how to use it, dark and light, on small screens too", async ({ page }) => {
      const complaints: string[] = [];
      page.on("console", (message) => complaints.push(message.text()));
      for (const [colorScheme, background, width] of [
        ["dark", "rgb(14, 22, 23)", 1440],
        ["light", "rgb(241, 245, 246)", 390],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize({ width, height: 900 });
        await page.goto(`/repo/${name}`);
        await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
        await expect(page.getByText(command)).toBeVisible();
        await expect(page.locator("body")).toHaveCSS("background-color", background);
        const { violations } = await new AxeBuilder({ page }).setLegacyMode().analyze();
        expect(violations).toEqual([]);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - window.innerWidth)).toBeLessThanOrEqual(
          0,
        );
      }
      expect(complaints).toEqual([]);
    });

    test("leads to the repository in the console", async ({ page }) => {
      await signInAs(page, "admin");
      await page.goto(`/repo/${name}/`);
      await page.getByRole("link", { name: /Open this repository/ }).click();
      await expect(page.getByRole("heading", { level: 1, name })).toBeVisible();
      await expect(page).toHaveURL(new RegExp(`/repositories/${technology}/\\d+$`));
    });
  });

test.describe("a Polish reader", () => {
  test.use({ locale: "pl-PL" });
  test("reads the page of a repository in Polish", async ({ page }) => {
    await page.goto("/repo/stats-release/src/contrib/");
    await expect(page.getByRole("heading", { name: "Jak go używać" })).toBeVisible();
    await expect(page.locator("html")).toHaveAttribute("lang", "pl");
  });
});
