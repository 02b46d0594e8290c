import AxeBuilder from "@axe-core/playwright";
import { longTag } from "@packhouse/fixtures/long-form";
import { startProduct } from "@packhouse/server/testing/product";
import { startMailServer } from "@packhouse/server/testing/servers/mail-server";
import { expect, type Page } from "@playwright/test";
import { choose, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { uploadWaiting } from "./upload-by-call.ts";

/** The server of these tests has no mail server; a console of one that has shows the choice. */
async function withMail(page: Page): Promise<void> {
  await page.route("**/api/v2/manager/config", async (route) => {
    const response = await route.fetch();
    const body: { data: object } = await response.json();
    await route.fulfill({ response, json: { ...body, data: { ...body.data, mailEnabled: true } } });
  });
}

test("users choose when they get mail about what", { tag: longTag }, async ({ page }) => {
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
  await expect(reviews).toHaveValue("raz dziennie");
  const tabs = page.getByRole("tab");
  const edges = await tabs.evaluateAll((all) => all.map((tab) => tab.getBoundingClientRect().toJSON()));
  expect(new Set(edges.map(({ top }) => top)).size).toBe(1);
  await expect(tabs.last()).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  await page.reload();
  await expect(page.getByRole("tab", { selected: true })).toBeInViewport({ ratio: 1 });
  await expect(reviews).toHaveValue("raz dziennie");
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await choose(page, "dark", "en"); // as the tests that follow expect
});

test("the choice of mail is not shown where no mail is sent", { tag: longTag }, async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/settings-general");
  await expect(page.getByTestId("tab-tokens")).toBeVisible();
  await expect(page.getByTestId("tab-mail")).toBeHidden();
  await page.goto("/settings-mail");
  await expect(page.getByText("This server sends no mail.")).toBeVisible();
});

test("the links in a mail open the submission after signing in, and stop mail without it", { tag: longTag }, async ({
  playwright,
  browser,
}) => {
  await using mailServer = await startMailServer({ security: "none" });
  await using product = await startProduct({ demo: true, environment: mailServer.environment });
  const request = await playwright.request.newContext({ baseURL: product.address });
  await uploadWaiting(request, "stats-release", ["letterbox"]);
  await request.dispose();
  // The demo has submissions that wait, too.
  const ours = () =>
    mailServer.mails.find(({ to, html }) => to === "repository-maintainer@example.org" && html.includes("letterbox"));
  await expect.poll(ours).toBeTruthy();
  const mail = ours();
  const letter = await browser.newPage();
  await letter.setContent(mail?.html ?? "");
  const linkOf = async (name: string | RegExp) => {
    const link = await letter.getByRole("link", { name }).first().getAttribute("href");
    expect(mail?.text).toContain(link);
    return link ?? "";
  };
  const submission = await linkOf(/letterbox/);
  const stop = await linkOf("Stop this kind of mail");
  await letter.close();

  const context = await browser.newContext({ baseURL: new URL(submission).origin });
  const page = await context.newPage();
  await page.goto(submission);
  await expect(page).toHaveURL(/\/login$/);
  await page.getByLabel("Username").fill("repository-maintainer");
  await page.getByLabel("Password", { exact: true }).fill("packhouse-demo");
  await page.getByRole("button", { name: "Sign in" }).click();
  await expect(page.getByRole("row", { name: /letterbox/ })).toBeVisible();
  expect(page.url()).toBe(submission);
  await page.goto("/packages");
  await page.goto(submission); // signed in
  await expect(page.getByRole("row", { name: /letterbox/ })).toBeVisible();

  const choice = async () => {
    await page.goto("/settings-mail");
    return page.getByTestId("field-reviews");
  };
  await expect(await choice()).toHaveValue("immediately");
  const elsewhere = await browser.newContext(); // nobody is signed in there
  const stranger = await elsewhere.newPage();
  await stranger.goto(stop);
  await expect(stranger.getByRole("heading", { name: "Stop mail about the following?" })).toBeVisible();
  expect((await new AxeBuilder({ page: stranger }).analyze()).violations).toEqual([]);
  await expect(await choice()).toHaveValue("immediately"); // following the link changes nothing yet
  await stranger.getByRole("button", { name: "Stop this mail" }).click();
  await expect(
    stranger.getByRole("heading", { name: "You will no longer receive mail about the following." }),
  ).toBeVisible();
  await elsewhere.close();
  await expect(await choice()).toHaveValue("never");
  await page.goto(stop); // signed in, and again
  await page.getByRole("button", { name: "Stop this mail" }).click();
  await expect(
    page.getByRole("heading", { name: "You will no longer receive mail about the following." }),
  ).toBeVisible();
  await page.goto(`${stop}x`);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("This link does not work");
  await context.close();
});
