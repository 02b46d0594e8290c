import { expect } from "@playwright/test";
import { signInByForm } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("signing in", () => {
  test("says what is wrong once, and stays", async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("User name").fill("user");
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Unsuccessful login")).toHaveCount(1);
    await expect(page.getByText("Wrong credentials, please try again")).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page).toHaveTitle("Packhouse - login");
  });

  test("asks for what is missing", async ({ page }) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Name is required")).toBeVisible();
    await expect(page.getByText("Password is required")).toBeVisible();
  });

  test("leads to where one wanted to go", async ({ page }) => {
    await page.goto("/submissions?state=WAITING");
    await expect(page).toHaveURL(/\/login$/);
    await page.getByLabel("User name").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill("packhouse-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/submissions\?state=WAITING$/);
    await expect(page.getByRole("heading", { level: 1, name: "Submissions" })).toBeVisible();
  });

  test("ends from the top bar on a phone, which says who is signed in", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInByForm(page, "admin");
    await page.getByRole("button", { name: "You: Maren Castell" }).click();
    await expect(page.getByRole("menu")).toContainText("admin · Administrator");
    await page.getByRole("menuitem", { name: "Access tokens" }).click();
    await expect(page).toHaveURL(/\/settings-tokens$/);
    await page.getByTestId("topbar-user").click();
    await page.getByTestId("user-sign-out").click();
    await expect(page).toHaveURL(/\/login$/);
  });

  test("ends with signing out", async ({ page }) => {
    await signInByForm(page, "user");
    await page.getByTestId("nav-logout").first().click();
    await expect(page).toHaveURL(/\/login$/);
    await page.goto("/packages");
    await expect(page).toHaveURL(/\/login$/);
  });
});
