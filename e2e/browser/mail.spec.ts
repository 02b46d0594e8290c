import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";
import { choose, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

/** The server of these tests has no mail server; a console of one that has shows the choice. */
async function withMail(page: Page): Promise<void> {
  await page.route("**/api/v2/manager/config", async (route) => {
    const response = await route.fetch();
    const body: { data: object } = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, mailEnabled: true } } });
  });
}

test("users choose when they get mail about what", async ({ page }) => {
  await withMail(page);
  await signInAs(page, "admin");
  await page.goto("/settings-general");
  await page.getByTestId("tab-mail").click();
  const reviews = page.getByTestId("field-reviews");
  const choice = async (name: string) => {
    await reviews.click();
    await page.getByRole("option", { name }).click();
  };
  await choice("never");
  await choice("once a day");
  await page.getByTestId("save").click();
  await expect(page.getByTestId("save")).toBeHidden();
  await page.reload();
  await expect(reviews).toHaveValue("once a day");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);

  await choose(page, "light", "pl");
  await page.reload();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect(reviews).toHaveValue("raz dziennie");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await choose(page, "dark", "en"); // as the tests that follow expect
});

test("the choice of mail is not shown where no mail is sent", async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/settings-general");
  await expect(page.getByTestId("tab-tokens")).toBeVisible();
  await expect(page.getByTestId("tab-mail")).toBeHidden();
  await page.goto("/settings-mail");
  await expect(page.getByText("This server sends no mail.")).toBeVisible();
});
