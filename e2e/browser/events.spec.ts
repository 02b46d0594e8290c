import { expect } from "@playwright/test";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("the log of events", () => {
  test("tells what was changed, and loads older events at its end", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/events");
    const cards = page
      .getByTestId("timeline")
      .getByRole("listitem")
      .filter({ has: page.locator("time") });
    await expect(cards).toHaveCount(10);
    await page.getByTestId("events-more").scrollIntoViewIfNeeded();
    await expect.poll(() => cards.count()).toBeGreaterThan(10);

    await page.getByTestId("filter-eventType").click();
    await page.getByTestId("option-update").click();
    await expect(page).toHaveURL(/eventType=update/);
    await page.keyboard.press("Escape");
    await expect(cards.first()).toContainText("updated");
    await expect(cards.first().getByRole("list")).toContainText(/state|active|deleted|published|role/);
    await expect(page.getByText("created", { exact: true })).toHaveCount(0);
  });

  test("leads to what happened", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/events?resourceType=package");
    await page
      .getByTestId("timeline")
      .getByRole("link", { name: /^Open / })
      .first()
      .click();
    await expect(page.getByTestId("screen-packageDetails")).toBeVisible();
  });

  test("says so when nothing fits", async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/events?fromDate=2031-01-01");
    await expect(page.getByTestId("empty")).toContainText("There are no events");
  });
});
