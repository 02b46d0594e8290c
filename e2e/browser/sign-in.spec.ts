import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Page } from "@playwright/test";
import { refuse } from "./answers.ts";
import { openPackagesAs, signInByForm } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("signing in", () => {
  test("says what is wrong once, and stays", async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("Username").fill("user");
    await page.getByLabel("Password", { exact: true }).fill("wrong");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Unsuccessful login")).toHaveCount(1);
    await expect(page.getByText("Wrong credentials, please try again")).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
    await expect(page).toHaveTitle("Packhouse - login");
  });

  test("says that the browser stores nothing, in English and Polish, and shows the page anyway", {
    tag: longTag,
  }, async ({ browser }) => {
    for (const [locale, label, button, sentence] of [
      ["en-US", "Username", "Sign in", "Your browser could not save the sign-in."],
      ["pl-PL", "Nazwa użytkownika", "Zaloguj", "Przeglądarka nie mogła zapisać danych logowania."],
    ] as const) {
      const context = await browser.newContext({ locale });
      const page = await context.newPage();
      const errors: string[] = [];
      page.on("pageerror", ({ message }) => errors.push(message));
      await page.addInitScript(() => {
        for (const name of ["localStorage", "sessionStorage"])
          Object.defineProperty(window, name, {
            get() {
              throw new DOMException("blocked", "SecurityError");
            },
          });
      });
      await page.goto("/packages");
      await page.getByLabel(label).fill("user");
      await page.locator("input[type=password]").fill("packhouse-demo");
      await page.getByRole("button", { name: button, exact: true }).click();
      await expect(page.getByText(sentence)).toBeVisible();
      await page.getByTestId("topbar-theme").click();
      expect(errors).toEqual([]);
      await context.close();
    }
  });

  test("asks for what is missing", { tag: longTag }, async ({ page }) => {
    await page.goto("/login");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page.getByText("Name is required")).toBeVisible();
    await expect(page.getByText("Password is required")).toBeVisible();
  });

  test("leads to where one wanted to go", { tag: longTag }, async ({ page }) => {
    await page.goto("/submissions?state=WAITING");
    await expect(page).toHaveURL(/\/login$/);
    await page.getByLabel("Username").fill("admin");
    await page.getByLabel("Password", { exact: true }).fill("packhouse-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/submissions\?state=WAITING$/);
    await expect(page.getByRole("heading", { level: 1, name: "Submissions" })).toBeVisible();
  });

  test("says so on the page that it leads to", { tag: longTag }, async ({ page }) => {
    await page.goto("/login");
    await page.getByLabel("Username").fill("user");
    await page.getByLabel("Password", { exact: true }).fill("packhouse-demo");
    await page.getByRole("button", { name: "Sign in" }).click();
    await expect(page).toHaveURL(/\/packages$/);
    await expect(page.getByText("You are signed in")).toBeVisible();
    await page.reload();
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await expect(page.getByText("You are signed in")).toBeHidden();
  });

  test("ends at the address for signing out, also for the server", { tag: longTag }, async ({ page }) => {
    await openPackagesAs(page, "user");
    const token = await page.evaluate(() => localStorage.getItem("packhouse.token"));
    await page.goto("/logout");
    await expect(page).toHaveURL(/\/login$/);
    expect(await page.evaluate(() => localStorage.getItem("packhouse.token"))).toBeNull();
    const answer = await page.request.get("/api/v2/manager/users/me", {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(answer.status()).toBe(401);
    await page.goto("/packages");
    await expect(page).toHaveURL(/\/login$/);
  });

  test("does not end because another site leads to the address for signing out, until one agrees", {
    tag: longTag,
  }, async ({ page }) => {
    await openPackagesAs(page, "user");
    const token = () => page.evaluate(() => localStorage.getItem("packhouse.token"));
    const { port } = new URL(page.url());
    await page.route("http://elsewhere.example/", (route) =>
      route.fulfill({
        contentType: "text/html",
        body: `<a href="http://localhost:${port}/logout" referrerpolicy="no-referrer">prizes</a>`,
      }),
    );
    const follow = async () => {
      await page.goto("http://elsewhere.example/");
      await page.getByRole("link", { name: "prizes" }).click();
      await expect(page.getByText("Another website is asking to sign you out.")).toBeVisible();
    };
    await follow();
    await expect(page).toHaveTitle("Packhouse - sign out");
    expect(await token()).not.toBeNull();
    await page.getByRole("button", { name: "Stay signed in" }).click();
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await follow();
    await page.getByRole("button", { name: "Sign out" }).click();
    await expect(page).toHaveURL(/\/login$/);
    expect(await token()).toBeNull();
    await page.goto("http://elsewhere.example/");
    await page.getByRole("link", { name: "prizes" }).click(); // nobody is signed in: nothing to ask
    await expect(page).toHaveURL(/\/login$/);
    await expect(page.getByLabel("Username")).toBeVisible();
  });

  test("ends from the top bar on a phone, which says who is signed in", { tag: longTag }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await signInByForm(page, "admin");
    await page.getByRole("button", { name: "Account: Maren Castell" }).click();
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

test.describe("a one-time link", () => {
  const field = (page: Page) => page.getByTestId("field-newPassword");

  test("is followed in a tab that shows the sign-in, where only the fragment changes", { tag: longTag }, async ({
    page,
  }) => {
    await page.goto("/login");
    await expect(page.getByTestId("field-login")).toBeVisible();
    await page.evaluate(() => window.location.assign("/login#set-password=secret-of-a-link"));
    await expect(field(page)).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  });

  test("is followed on the sign-in to which signing out leads", { tag: longTag }, async ({ page }) => {
    await openPackagesAs(page, "user");
    await page.getByTestId("nav-logout").first().click();
    await expect(page.getByTestId("field-login")).toBeVisible();
    await page.evaluate(() => window.location.assign(`${window.location.pathname}#set-password=secret-of-a-link`));
    await expect(field(page)).toBeVisible();
    await expect(page).toHaveURL(/\/login$/);
  });

  test("whose next step cannot be loaded leaves a form that can be sent again", { tag: longTag }, async ({ page }) => {
    await page.goto("/login");
    await page.evaluate(() => window.location.assign("/login#set-password=secret-of-a-link"));
    await refuse(page, "**/login/password", { status: 401, messageCode: "second.factor.required" });
    await field(page).fill("a password of the tests");
    await page.getByTestId("field-againPassword").fill("a password of the tests");
    // What the server sends for the next step makes no sense: the step throws.
    await page.getByTestId("password-submit").click();
    await expect(page.getByTestId("toast-error")).toBeVisible();
    await expect(page.getByTestId("password-submit")).toBeEnabled();
    await expect(page.getByTestId("password-submit")).not.toHaveAttribute("data-loading", "true");
  });
});
