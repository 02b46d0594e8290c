import { readFile } from "node:fs/promises";
import { afterFirst, longTag } from "@packhouse/fixtures/long-form";
import { type APIRequestContext, expect } from "@playwright/test";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { authorizationOf, uploadWaiting } from "./upload-by-call.ts";

/** Rejects the one submission of a package of R. */
async function reject(request: APIRequestContext, name: string): Promise<void> {
  const headers = await authorizationOf(request, "admin");
  const found = await request.get(`/api/v2/manager/submissions?search=${name}`, { headers });
  const answer = await request.patch(`/api/v2/manager/r/submissions/${(await found.json()).data.content[0].id}`, {
    headers: { ...headers, "content-type": "application/json-patch+json" },
    data: [{ op: "replace", path: "/state", value: "REJECTED" }],
  });
  expect(answer.status()).toBe(200);
}

test.describe("the log of events", () => {
  test("shows what was changed, and loads older events at its end", async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["ebbmark"]);
    await reject(request, "ebbmark");
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
    const rejected = cards.filter({ hasText: "ebbmark" });
    await expect(rejected.getByRole("list")).toContainText(/state.*waiting.*rejected/);
    await expect(page.getByText("created", { exact: true })).toHaveCount(0);
  });

  for (const [zone, timezoneId] of [
    ["Pacific/Auckland", "Pacific/Auckland"],
    ["America/Los_Angeles", "America/Los_Angeles"],
    ["UTC", "Pacific/Auckland"],
  ] as const)
    test.describe(`in the zone ${zone}${zone === timezoneId ? "" : ` of a user in ${timezoneId}`}`, {
      tag: longTag,
    }, () => {
      test.use({ timezoneId });
      test("has one zone, named, for the days of its filter and of its headings", async ({ page }) => {
        await signInAs(page, "admin");
        // Before the events of other tests, which may fill the first page with one day.
        const lastWeek = new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10);
        await page.goto(`/events?toDate=${lastWeek}${zone === "UTC" ? "&zone=utc" : ""}`);
        await expect(page.getByTestId("zone")).toHaveText(`Days and times in ${zone}`);
        const days = page.getByTestId(/^events-day-/);
        await expect(days.first()).toBeVisible();
        const day = (await days.nth(1).innerText()).trim();
        const events = page.getByTestId("timeline").locator("time");
        const onDay = await page.getByRole("region", { name: day, exact: true }).locator("time").count();
        const dashed = day.replaceAll(".", "-");
        await page.goto(`/events?fromDate=${dashed}&toDate=${dashed}${zone === "UTC" ? "&zone=utc" : ""}`);
        await expect(days).toHaveCount(1);
        await expect(days).toHaveText(day);
        expect(await events.count()).toBeGreaterThanOrEqual(onDay);
        await page.goto("/submissions");
        await expect(page.getByTestId("zone")).toHaveText(`Days and times in ${timezoneId}`);
      });
    });

  test("leads to what happened", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/events?resourceType=package");
    await page
      .getByTestId("timeline")
      .getByRole("link", { name: /^Open / })
      .first()
      .click();
    await expect(page.getByTestId("screen-packageDetails")).toBeVisible();
  });

  test("distinguishes what changed at a time from what is true now", { tag: longTag }, async ({ page, request }) => {
    await uploadWaiting(request, "stats-release", ["tidemark"]);
    const card = async (eventType: string) => {
      await page.goto(`/events?eventType=${eventType}&resourceType=submission`);
      return page.getByTestId(/^event-\d+$/).filter({ hasText: "tidemark" });
    };
    await signInAs(page, "admin");
    await expect(await card("upload")).toContainText(/now:.*waiting/);
    await reject(request, "tidemark");
    const uploaded = await card("upload");
    await expect(uploaded).toContainText(/now:.*rejected/);
    await expect(uploaded).not.toContainText("waiting");
    const rejected = await card("update");
    await expect(rejected.getByRole("list")).toContainText(/waiting.*rejected/); // what changed then
    await expect(rejected).toContainText(/now:.*rejected/);
  });

  test("says so when nothing fits", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/events?fromDate=2031-01-01");
    await expect(page.getByTestId("empty")).toContainText("There are no events");
  });
});

test.describe("security events", () => {
  test("are listed apart, with a sentence, and lead to one event", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/events");
    await page.getByTestId("events-kind").getByText("Security").click();
    await expect(page).toHaveURL(/security=true/);
    const cards = page
      .getByTestId("timeline")
      .getByRole("listitem")
      .filter({ has: page.locator("time") });
    await expect(cards.first()).toContainText("signed in with a password");
    await expect(cards.first()).toContainText("127.0.0.1");
    await page.getByTestId("filter-eventType").click();
    await expect(page.getByTestId("option-signInFailed")).toBeVisible();
    await expect(page.getByTestId("option-upload")).toHaveCount(0);
    await page.getByTestId("option-signIn").click();
    await expect(page).toHaveURL(/eventType=signIn/);
    await page.keyboard.press("Escape");
    await page.getByTestId("filter-reset").click();
    // Reset keeps the kind: it is no filter.
    await expect(page).toHaveURL(/security=true/);
    await cards
      .first()
      .getByRole("link", { name: /^Link to this event/ })
      .click();
    await expect(page.getByTestId("event-open")).toContainText("signed in with a password");
  });

  test("are there for everybody about their own account, and in no notification", { tag: longTag }, async ({
    page,
  }) => {
    await openPackagesAs(page, "user");
    await page.getByTestId("topbar-notifications").filter({ visible: true }).first().click();
    await expect(page.getByTestId("notifications-panel")).toBeVisible();
    await expect(page.getByTestId("notifications-panel")).not.toContainText("signed in");
    await page.keyboard.press("Escape");
    await page.goto("/events?security=true&view=table");
    const rows = page.getByTestId("events-table").locator("tr[data-row]");
    await expect(rows.first()).toContainText("signed in with a password");
    for (const row of await rows.all()) await expect(row).not.toContainText("admin");
  });
});

test.describe("the export of events", () => {
  for (const [variant, format] of (["csv", "jsonl", "json"] as const).entries())
    test(`saves what the filter finds as ${format}, as the server writes it`, afterFirst(variant), async ({ page }) => {
      await signInAs(page, "admin");
      await page.goto("/events?eventType=upload");
      await expect(page.getByTestId("timeline").locator("time").first()).toBeVisible();
      await page.getByTestId("export").click();
      const [download, response] = await Promise.all([
        page.waitForEvent("download"),
        page.waitForResponse(/\/events\/export\?.*eventType=upload/),
        page.getByTestId(`export-${format}`).click(),
      ]);
      expect(response.status()).toBe(200);
      expect(download.suggestedFilename()).toBe(`events.${format}`);
      const text = await readFile(await download.path(), "utf8");
      if (format === "csv") expect(text).toMatch(/^id,time,author,[^\r]*\r\n\d+,[^\r]*,upload,SUBMISSION,/);
      const events: { eventType: string }[] =
        format === "json"
          ? JSON.parse(text)
          : format === "jsonl"
            ? text
                .trimEnd()
                .split("\n")
                .map((line) => JSON.parse(line))
            : [];
      expect(events.every(({ eventType }) => eventType === "upload")).toBe(true);
      if (format !== "csv") expect(events.length).toBeGreaterThan(10);
    });
});
