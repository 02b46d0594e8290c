import { expect, type Page } from "@playwright/test";

const demoPassword = "packhouse-demo";

/** Signs in through the screen, as people do. */
export async function signInAs(page: Page, login: string): Promise<void> {
  await page.goto("/login");
  await page.getByLabel("User name").fill(login);
  await page.getByLabel("Password", { exact: true }).fill(demoPassword);
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByTestId("table-packages")).toBeVisible();
}
