import AxeBuilder from "@axe-core/playwright";
import { longTag } from "@packhouse/fixtures/long-form";
import { freePort, type Product, signIn as signInByApi, startProduct } from "@packhouse/server/testing/product";
import { expect, type Page } from "@playwright/test";
import { generateKeyPair, SignJWT } from "jose";
import { type IdentityProvider, providerSettings, startIdentityProvider } from "../identity-provider.ts";
import { test } from "./test.ts";

let provider: IdentityProvider;
let product: Product;

test.beforeAll(async () => {
  const [productPort, providerPort] = [await freePort(), await freePort()];
  provider = await startIdentityProvider({
    port: providerPort,
    console: `http://localhost:${productPort}/`,
    seconds: 64,
  });
  product = await startProduct({
    demo: true,
    port: productPort,
    environment: { ...providerSettings(provider.issuer), PACKHOUSE_AUTH_SESSION_MINUTES: "1" },
  });
});
test.afterAll(async () => {
  await product.stop();
  await provider[Symbol.asyncDispose]();
});

/** From the console's sign-in through the provider's pages and back. */
async function signIn(page: Page, account: string): Promise<void> {
  await page.getByTestId("login-provider").click();
  await answerProvider(page, account);
}
async function answerProvider(page: Page, account: string): Promise<void> {
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
    await expect(page.getByTestId("drawer")).toContainText("Amara Lindqvist");
    await expect(page.getByTestId("drawer")).toContainText("Repository maintainer");
    await expect(page.getByTestId("nav-packageMaintainers").first()).toBeVisible();
  });

  for (const [account, name] of [
    ["ben", "Ben Okafor"],
    ["chloe", "Chloe Marsh"],
  ] as const)
    test(`takes the claims of ${account}'s kind of provider`, { tag: longTag }, async ({ page }) => {
      await page.goto(`${product.address}/login`);
      await signIn(page, account);
      await expect(page.getByTestId("table-packages")).toBeVisible();
      await expect(page.getByTestId("drawer")).toContainText(name);
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

  test("that was not begun here, or was refused there, is an error on the sign-in", { tag: longTag }, async ({
    page,
  }) => {
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

  test("shows that the provider is out of reach, and passwords still work", { tag: longTag }, async ({ page }) => {
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

test.describe("a session that ends", () => {
  /** A form with something entered that nobody has saved. */
  async function beginToken(page: Page): Promise<void> {
    await page.goto(`${product.address}/settings-tokens`);
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("unsaved");
  }
  async function signInByPassword(page: Page): Promise<void> {
    await page.goto(`${product.address}/login`);
    await page.getByTestId("field-login").fill("admin");
    await page.getByTestId("field-password").fill("packhouse-demo");
    await page.getByTestId("login-submit").click();
    await expect(page.getByTestId("table-packages")).toBeVisible();
  }
  const dialogOf = (page: Page) => page.getByTestId("dialog-signInAgain");

  test("can be prolonged before", { tag: longTag }, async ({ page }) => {
    await signInByPassword(page);
    const first = await storedToken(page);
    await expect(page.getByText(/Your session ends in \d+ seconds/)).toBeVisible();
    await page.getByTestId("stay-signed-in").click();
    await dialogOf(page).getByRole("button", { name: "Close" }).click();
    await expect(dialogOf(page)).toBeHidden();
    await page.getByTestId("stay-signed-in").click();
    await dialogOf(page).getByTestId("field-password").fill("packhouse-demo");
    await dialogOf(page).getByTestId("login-submit").click();
    await expect(dialogOf(page)).toBeHidden();
    expect(await storedToken(page)).not.toBe(first);
  });

  test("goes on over the page as it stands, by password and at the provider", { tag: longTag }, async ({
    page,
    browser,
  }) => {
    test.setTimeout(150_000);
    await using atProvider = await browser.newContext();
    await using byPassword = await browser.newContext();
    const [own, tab] = [await byPassword.newPage(), await byPassword.newPage()];
    page = await atProvider.newPage();
    await page.goto(`${product.address}/login`);
    await signIn(page, "amara");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await beginToken(page);
    await atProvider.clearCookies(); // the provider knows nobody any more, so nothing is renewed
    await signInByPassword(own);
    await beginToken(own);
    await tab.goto(`${product.address}/events`);

    await expect(dialogOf(own)).toContainText("Your session has ended", { timeout: 80_000 });
    await expect(dialogOf(tab)).toBeVisible();
    expect((await new AxeBuilder({ page: own }).analyze()).violations).toEqual([]);
    await own.keyboard.press("Escape");
    await dialogOf(own).getByTestId("field-password").fill("wrong");
    await dialogOf(own).getByTestId("login-submit").click();
    await expect(dialogOf(own)).toContainText("Wrong credentials");
    await dialogOf(own).getByTestId("field-password").fill("packhouse-demo");
    await dialogOf(own).getByTestId("login-submit").click();
    await expect(dialogOf(own)).toBeHidden();
    await expect(dialogOf(tab)).toBeHidden();
    await expect(own.getByTestId("field-name")).toHaveValue("unsaved");

    const dialog = dialogOf(page);
    await expect(dialog).toContainText("Your session has ended", { timeout: 30_000 });
    const button = dialog.getByTestId("login-provider");
    const opened = async () => {
      const [window] = await Promise.all([page.waitForEvent("popup"), button.click()]);
      return window;
    };
    await (await opened()).close();
    await expect(dialog).toContainText("was closed too early");
    await page.evaluate(() => {
      const { open } = window;
      window.open = () => {
        window.open = open;
        return null;
      };
    });
    await button.click();
    await expect(dialog).toContainText("blocked the sign-in window");
    await answerProvider(await opened(), "chloe");
    await expect(dialog).toContainText("Another user is signed in to the identity provider");
    await answerProvider(await opened(), "amara");
    await expect(dialog).toBeHidden();
    await expect(page.getByTestId("field-name")).toHaveValue("unsaved");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("token-value")).toContainText("pkh_");
  });

  test("can be left instead", { tag: longTag }, async ({ page }) => {
    await signInByPassword(page);
    await page.goto(`${product.address}/events`);
    await page.getByTestId("stay-signed-in").click();
    await page.getByTestId("sign-out-instead").click();
    await expect(page).toHaveURL(`${product.address}/login`);
    expect(await storedToken(page)).toBeNull();
  });
});

test.describe("a token of the console", () => {
  const parts = (token: string) => token.split(".") as [string, string, string];
  const encoded = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

  /** Opens the console with another token in the browser's hands. */
  async function openWith(page: Page, token: string): Promise<void> {
    await page.goto(`${product.address}/actuator/health`); // where nothing of the console runs
    await page.evaluate((token) => localStorage.setItem("packhouse.token", token), token);
    // Messages disappear by themselves, on a busy machine before the page has loaded.
    await page.goto(`${product.address}/packages`, { waitUntil: "commit" });
  }
  async function expectRefused(page: Page): Promise<void> {
    await expect(page.getByText("user is not authenticated")).toBeVisible();
    await expect(page).toHaveURL(`${product.address}/login`);
    expect(await storedToken(page)).toBeNull();
  }

  test("must be the provider's, for this server, and as it was issued", { tag: longTag }, async ({ page }) => {
    await page.goto(`${product.address}/login`);
    await signIn(page, "ben");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    const token = (await storedToken(page)) ?? "";
    const [header, payload, signature] = parts(token);
    const claims = JSON.parse(Buffer.from(payload, "base64url").toString());
    const now = Math.floor(Date.now() / 1000);
    const fresh = { ...claims, iat: now, exp: now + 600 };

    // What the provider signs is taken, so it is not for their form that the others are refused.
    await openWith(page, await provider.sign(fresh));
    await expect(page.getByTestId("table-packages")).toBeVisible();

    const publicKey = new TextEncoder().encode(JSON.stringify(provider.publicKey));
    const stranger = await generateKeyPair("RS256");
    const kid = provider.publicKey.kid ?? "";
    const tricks: Record<string, string> = {
      "another person's name under the signature": [header, encoded({ ...claims, sub: "amara" }), signature].join("."),
      "no signature": [encoded({ alg: "none" }), encoded(fresh), ""].join("."),
      "the public key as a secret": await new SignJWT(fresh).setProtectedHeader({ alg: "HS256", kid }).sign(publicKey),
      "a stranger's key": await new SignJWT(fresh).setProtectedHeader({ alg: "RS256", kid }).sign(stranger.privateKey),
      "another audience": await provider.sign({ ...fresh, aud: "urn:another:api" }),
      "another issuer": await provider.sign({ ...fresh, iss: "https://elsewhere.example.org" }),
      "an end long ago": await provider.sign({ ...fresh, exp: now - 3600 }),
    };
    for (const [trick, made] of Object.entries(tricks))
      await test.step(trick, async () => {
        await openWith(page, made);
        await expectRefused(page);
      });
  });

  test("cannot be got twice with one answer of the provider", { tag: longTag }, async ({ page }) => {
    let answer = "";
    page.on("request", (request) => {
      if (request.url().startsWith(`${product.address}/auth?code=`)) answer = request.url();
    });
    await page.goto(`${product.address}/login`);
    await signIn(page, "chloe");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    await page.evaluate(() => localStorage.clear());
    expect(answer).toContain("state=");
    await page.goto(answer);
    await expect(page.getByText("Error with oauth")).toBeVisible();
    expect(await storedToken(page)).toBeNull();
  });

  test("outlives neither the key that signed it nor its owner's deactivation", { tag: longTag }, async ({ page }) => {
    test.setTimeout(150_000);
    await page.goto(`${product.address}/login`);
    await signIn(page, "ben");
    await expect(page.getByTestId("table-packages")).toBeVisible();
    const before = (await storedToken(page)) ?? "";
    const port = Number(new URL(provider.issuer).port);
    await provider[Symbol.asyncDispose]();
    provider = await startIdentityProvider({ port, console: `${product.address}/`, seconds: 64 });

    // An unknown key makes the server look for new ones, once a minute at most.
    await expect(async () => {
      await page.context().clearCookies();
      await page.evaluate(() => localStorage.clear());
      await page.goto(`${product.address}/login`);
      await signIn(page, "ben");
      await expect(page.getByTestId("table-packages")).toBeVisible();
    }).toPass({ timeout: 90_000 });
    const after = (await storedToken(page)) ?? "";
    await openWith(page, before);
    await expectRefused(page);

    await openWith(page, after);
    await expect(page.getByTestId("table-packages")).toBeVisible();
    const admin = await signInByApi(product, "admin", "packhouse-demo");
    const { data } = await admin.call("GET", "/users?search=Ben Okafor");
    const [ben] = (data as { content: { id: number }[] }).content;
    await admin.call("PATCH", `/users/${ben?.id}`, [{ op: "replace", path: "/active", value: false }]);
    await page.reload({ waitUntil: "commit" });
    await expectRefused(page);
  });
});
