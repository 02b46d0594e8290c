import { freePort, type Product, startProduct } from "@packhouse/server/testing/product";
import { expect, type Page, test } from "@playwright/test";
import { type IdentityProvider, providerSettings, startIdentityProvider } from "../identity-provider.ts";

let provider: IdentityProvider;
let product: Product;

test.beforeAll(async () => {
  const [productPort, providerPort] = [await freePort(), await freePort()];
  provider = await startIdentityProvider({
    port: providerPort,
    console: `http://localhost:${productPort}/`,
    seconds: 64,
  });
  product = await startProduct({ demo: true, port: productPort, environment: providerSettings(provider.issuer) });
});
test.afterAll(async () => {
  await product.stop();
  await provider[Symbol.asyncDispose]();
});

/** From the console's sign-in through the provider's pages and back. */
async function signIn(page: Page, account: string): Promise<void> {
  await page.getByTestId("login-provider").click();
  await page.getByPlaceholder("Enter any login").fill(account);
  await page.getByPlaceholder("and password").fill("anything");
  await page.getByRole("button", { name: "Sign-in" }).click();
  await page.getByRole("button", { name: "Continue" }).click();
}
const storedToken = (page: Page) => page.evaluate(() => localStorage.getItem("packhouse.token"));

test.describe("sign-in at an identity provider", () => {
  test("leads to where one wanted to go, with the role that the groups give", async ({ page }) => {
    await page.goto(`${product.address}/submissions?state=WAITING`);
    await expect(page.getByTestId("field-login")).toBeVisible();
    await signIn(page, "amara");
    await expect(page).toHaveURL(`${product.address}/submissions?state=WAITING`);
    await expect(page.locator(".ph-drawer")).toContainText("Amara Lindqvist");
    await expect(page.locator(".ph-drawer")).toContainText("Repository maintainer");
    await expect(page.getByTestId("nav-packageMaintainers").first()).toBeVisible();
  });

  for (const [account, name] of [
    ["ben", "Ben Okafor"],
    ["chloe", "Chloe Marsh"],
  ] as const)
    test(`takes the claims of ${account}'s kind of provider`, async ({ page }) => {
      await page.goto(`${product.address}/login`);
      await signIn(page, account);
      await expect(page.getByTestId("table-packages")).toBeVisible();
      await expect(page.locator(".ph-drawer")).toContainText(name);
    });

  test("is renewed without being noticed, and ended at the provider and in all tabs", async ({ page, context }) => {
    test.setTimeout(90_000);
    await page.goto(`${product.address}/login`);
    await signIn(page, "ben");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    const first = await storedToken(page);
    await expect.poll(() => storedToken(page), { timeout: 30_000 }).not.toBe(first);
    await expect(page.getByText("Your session ends")).toHaveCount(0);

    const other = await context.newPage();
    await other.goto(`${product.address}/events`);
    await expect(other.getByTestId("timeline")).toBeVisible();
    await page.getByTestId("nav-logout").first().click();
    await page.getByRole("button", { name: /yes, sign me out/i }).click();
    await expect(page).toHaveURL(`${product.address}/login`);
    await expect(other).toHaveURL(`${product.address}/login`);
    expect(await page.evaluate(() => Object.keys(localStorage).filter((key) => key.includes("provider")))).toEqual([]);
    // The provider asks again.
    await page.getByTestId("login-provider").click();
    await expect(page.getByPlaceholder("Enter any login")).toBeVisible();
  });

  test("that cannot be renewed is announced, and ends with a way back", async ({ page, context }) => {
    test.setTimeout(120_000);
    await page.goto(`${product.address}/login`);
    await signIn(page, "ben");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await page.goto(`${product.address}/events`);
    await expect(page.getByTestId("timeline")).toBeVisible();
    await context.clearCookies(); // the provider knows nobody any more
    await expect(page.getByText(/Your session ends in \d+ seconds/)).toBeVisible({ timeout: 30_000 });
    await expect(page).toHaveURL(`${product.address}/login`, { timeout: 80_000 });
    await expect(page.getByText("Your session has ended")).toBeVisible();
    await signIn(page, "ben");
    await expect(page).toHaveURL(`${product.address}/events`);
  });

  test("that was not begun here, or was refused there, is an error on the sign-in", async ({ page }) => {
    for (const answer of ["code=stolen&state=unknown", "error=access_denied&state=unknown"]) {
      await page.goto(`${product.address}/auth?${answer}`);
      await expect(page.getByText("Error with oauth")).toBeVisible();
      await expect(page).toHaveURL(`${product.address}/login`);
      expect(await storedToken(page)).toBeNull();
    }
    await page.goto(`${product.address}/login`);
    await page.getByTestId("login-provider").click();
    await page.getByRole("link", { name: "[ Cancel ]" }).click();
    await expect(page.getByText("Error with oauth")).toBeVisible();
  });

  test("is told when the provider is out of reach, and passwords still work", async ({ page }) => {
    await page.route(`${provider.issuer}/**`, (route) => route.abort());
    await page.goto(`${product.address}/login`);
    await page.getByTestId("login-provider").click();
    await expect(page.getByText("Error with oauth")).toBeVisible();
    await page.getByTestId("field-login").fill("admin");
    await page.getByTestId("field-password").fill("packhouse-demo");
    await page.getByTestId("login-submit").click();
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await page.getByTestId("nav-logout").first().click();
    await expect(page).toHaveURL(`${product.address}/login`);
  });
});
