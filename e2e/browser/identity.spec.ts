import AxeBuilder from "@axe-core/playwright";
import { longTag } from "@packhouse/fixtures/long-form";
import { type Browser, expect, type Page } from "@playwright/test";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const good = "orchard-7-lantern";

/** Another browser of the same or of another person. */
async function elsewhere(browser: Browser, baseURL: string | undefined): Promise<Page> {
  const context = await browser.newContext(baseURL === undefined ? {} : { baseURL });
  return context.newPage();
}
const tokenIn = (page: Page) => page.evaluate(() => localStorage.getItem("packhouse.token"));
const statusOf = (page: Page, token: string | null) =>
  page.evaluate(
    async (value) =>
      (await fetch("/api/v2/manager/users/me", { headers: { authorization: `Bearer ${value}` } })).status,
    token,
  );
async function expectAccessible(page: Page): Promise<void> {
  // Colors are checked once nothing fades in any more.
  await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== "running"));
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`)).toEqual([]);
}

test("signing out ends the session on the server", async ({ page }) => {
  await openPackagesAs(page, "geo-analyst");
  const token = await tokenIn(page);
  expect(await statusOf(page, token)).toBe(200);
  await page.getByTestId("nav-logout").click();
  await expect(page.getByTestId("screen-login")).toBeVisible();
  await expect.poll(() => statusOf(page, token)).toBe(401);
});

test("one's own sessions are listed with this one marked, and ended one by one or all others together", {
  tag: longTag,
}, async ({ page, browser, baseURL }) => {
  const others = [await elsewhere(browser, baseURL), await elsewhere(browser, baseURL)];
  for (const other of others) await openPackagesAs(other, "geo-analyst");
  await signInAs(page, "geo-analyst");
  await page.goto("/settings-general");
  await page.getByTestId("tab-sessions").click();
  await expect(page.getByText("this session", { exact: true })).toHaveCount(1);
  await expectAccessible(page);
  const ends = page
    .getByRole("button", { name: /^End / })
    .and(page.locator("[data-testid^=end-]:not([data-testid=end-others])"));
  const before = await ends.count();
  expect(before).toBeGreaterThanOrEqual(3);
  await ends.and(page.locator(":not([aria-disabled=true])")).first().click();
  await page.getByTestId("dialog-confirm").click();
  await expect(ends).toHaveCount(before - 1);
  await page.getByTestId("end-others").click();
  await expectAccessible(page);
  await page.getByTestId("dialog-confirm").click();
  await expect(ends).toHaveCount(1);
  for (const other of others) {
    expect(await statusOf(other, await tokenIn(other))).toBe(401);
    await other.context().close();
  }
  expect(await statusOf(page, await tokenIn(page))).toBe(200);
});

test("the password is changed in the settings, with reasons where it is refused", { tag: longTag }, async ({
  page,
}) => {
  await signInAs(page, "data-engineer");
  await page.goto("/settings-password");
  const token = await tokenIn(page);
  const fill = async (current: string, password: string, again = password) => {
    await page.getByTestId("field-currentPassword").fill(current);
    await page.getByTestId("field-newPassword").fill(password);
    await page.getByTestId("field-againPassword").fill(again);
    await page.getByTestId("save").click();
  };
  await fill("packhouse-demo", good, "something else");
  await expect(page.getByText("The passwords do not match")).toBeVisible();
  await fill("not the password", good);
  await expect(page.getByText("The current password is wrong")).toBeVisible();
  await fill("packhouse-demo", "password1");
  await expect(page.getByText(/too common/)).toBeVisible();
  await expectAccessible(page);
  await fill("packhouse-demo", good);
  await expect(page.getByText("The password has been changed")).toBeVisible();
  expect(await statusOf(page, token)).toBe(401);
  await page.goto("/packages");
  await expect(page.getByTestId("table-packages")).toBeVisible();
});

test("an administrator hands out a link or a temporary password, and the sign-in asks for another one", {
  tag: longTag,
}, async ({ page, browser, baseURL }) => {
  await signInAs(page, "admin");
  await page.goto("/users?search=ci-uploader");
  const open = () => page.locator("[data-testid^=resetSignIn-]").filter({ visible: true }).first().click();
  await open();
  await expectAccessible(page);
  await page.getByTestId("temporary-password").click();
  const temporary = (await page.getByTestId("issued-command").textContent()) ?? "";
  await expectAccessible(page);
  await page.getByTestId("dialog-confirm").click();

  const person = await elsewhere(browser, baseURL);
  await person.goto("/login");
  await person.getByLabel("Username").fill("ci-uploader");
  await person.getByLabel("Password", { exact: true }).fill(temporary);
  await person.getByTestId("login-submit").click();
  await expect(person.getByTestId("form-choosePassword")).toBeVisible();
  await expectAccessible(person);
  const choose = async (password: string) => {
    await person.getByTestId("field-newPassword").fill(password);
    await person.getByTestId("field-againPassword").fill(password);
    await person.getByTestId("password-submit").click();
  };
  await choose("ci-uploader");
  await expect(person.getByText(/too similar to the username/)).toBeVisible();
  await choose(good);
  await expect(person.getByTestId("table-packages")).toBeVisible();

  await open();
  await page.getByTestId("password-link").click();
  const link = (await page.getByTestId("issued-command").textContent()) ?? "";
  await person.goto(link);
  await expect(person.getByTestId("form-choosePassword")).toBeVisible();
  expect(person.url()).not.toContain("set-password");
  await choose(`${good} 2`);
  await expect(person.getByTestId("table-packages")).toBeVisible();
  await person.goto("about:blank");
  await person.goto(link);
  await choose(`${good} 3`);
  await expect(person.getByText(/was already used or has expired/)).toBeVisible();
  await person.context().close();
});
