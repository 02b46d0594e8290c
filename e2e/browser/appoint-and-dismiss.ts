import { expect, type Locator, type Page } from "@playwright/test";

/** In the open form: makes Maren Castell a maintainer of ops-tools, and then no longer. Gives the row of the record. */
export async function appointAndDismiss(page: Page): Promise<Locator> {
  await page.getByTestId("field-user").click();
  await page.getByRole("option", { name: /Maren Castell/ }).click();
  await page.getByTestId("field-repository").click();
  await page.getByRole("option", { name: /ops-tools/ }).click();
  await page.getByTestId("dialog-confirm").click();
  const row = page.getByRole("row").filter({ hasText: "Maren Castell" }).filter({ hasText: "ops-tools" });
  await expect(row).toHaveCount(1);
  await row.getByRole("button", { name: /^Delete/ }).click();
  await page.getByTestId("dialog-confirm").click();
  await expect(row.getByText("deleted", { exact: true })).toBeVisible();
  return row;
}
