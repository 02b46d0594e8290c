import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Locator, type Page } from "@playwright/test";
import { api, change, refuse } from "./answers.ts";
import { untilQuiet } from "./quiet.ts";
import { choose, openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

/** It follows the address together with the rows, which may be those of the address before for a moment. */
const headerOf = (page: Page, field: string): Locator =>
  page.getByRole("columnheader").filter({ has: page.getByTestId(`sort-${field}`) });

test.describe("a list", () => {
  test("keeps filter, sort and page in its address", async ({ page }) => {
    await openPackagesAs(page, "admin");
    await page.getByRole("searchbox", { name: "Search" }).fill("grade");
    await expect(page).toHaveURL(/search=grade/);
    await expect(page.getByRole("row").filter({ hasText: "gradeline" }).first()).toBeVisible();
    await expect(page.getByRole("row").filter({ hasText: "cropcurve" })).toHaveCount(0);
    await page.getByTestId("sort-repository").click();
    await expect(page).toHaveURL(/sort=repository/);
    await expect(headerOf(page, "repository")).toHaveAttribute("aria-sort", "ascending");
    await expect(page.getByTestId("table-packages")).toHaveAttribute("aria-busy", "false");
    const rows = await page.getByRole("rowheader").allInnerTexts();
    await page.reload();
    await expect(page.getByRole("rowheader").first()).toBeVisible();
    await expect(page.getByTestId("table-packages")).toHaveAttribute("aria-busy", "false");
    expect(await page.getByRole("rowheader").allInnerTexts()).toEqual(rows);

    await page.getByTestId("filter-reset").click();
    await expect(page).not.toHaveURL(/search=/);
    await expect(page.getByTestId("page-range")).toHaveText(/of [3-9]\d$/);
  });

  test("shows the notes of several submissions at a time, also after a reload", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/submissions?size=50");
    const notes = page.getByRole("button", { name: /^(Show|No) notes/ });
    await notes.nth(0).click();
    await notes.nth(1).click();
    await expect(page.locator("tr[data-open=true]")).toHaveCount(2);
    await page.reload();
    await expect(page.locator("tr[data-open=true]")).toHaveCount(2);
    await notes.nth(0).click();
    await expect(page.locator("tr[data-open=true]")).toHaveCount(1);
  });

  test("tells screen readers why a box cannot be switched, and states its count once", { tag: longTag }, async ({
    page,
  }) => {
    await openPackagesAs(page, "user");
    const box = page.getByTestId(/^activate-/).first();
    await expect(box).toHaveAttribute("aria-disabled", "true");
    await expect(box).toHaveAccessibleDescription(/^(You are not authorized|Only accepted packages)/);
    await box.focus();
    await expect(box).toBeFocused();
    await expect(page.getByText(/^\d+ results$/)).toHaveCount(1);
    await expect(page.locator("[aria-describedby='']")).toHaveCount(0);
  });

  test("leads from a deleted repository to its packages, which were deleted with it", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "admin");
    await change(page, api("/repositories?*"), (data) => {
      for (const item of (data.content ?? []) as { deleted: boolean }[]) item.deleted = true;
    });
    await page.goto("/repositories");
    await page
      .getByTestId(/^open-/)
      .first()
      .click();
    await expect(page).toHaveURL(/\/packages\?repository=[^&]+&deleted=true$/);
  });

  test("marks what a mirror brought, and finds it", { tag: longTag }, async ({ page }) => {
    const asked: string[] = [];
    await page.route(/\/api\/v2\/manager\/(r\/|python\/)?packages(\/\d+)?(\?|$)/, async (route) => {
      asked.push(route.request().url());
      const response = await route.fetch();
      const body = (await response.json()) as { data: { content?: object[] } };
      const marked = { origin: "mirror", mirror: "upstream" };
      const { content } = body.data;
      if (content) Object.assign(content[0] ?? {}, marked);
      else Object.assign(body.data, marked);
      await route.fulfill({ response, json: body });
    });
    await openPackagesAs(page, "admin");
    await expect(page.getByTestId("origin-mirror")).toHaveCount(1);
    await expect(page.getByRole("row").nth(1).getByTestId("origin-mirror")).toHaveText("from upstream");
    await page.goto("/packages?origin=mirror");
    await expect.poll(() => asked.some((address) => /[?&]origin=mirror(&|$)/.test(address))).toBe(true);
    await page.getByRole("button", { name: "Reset filter" }).click(); // the demo has no mirrors
    await page.getByRole("rowheader").getByRole("link").first().click();
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.getByTestId("origin-mirror").first()).toHaveText("from upstream");
    await page.unrouteAll({ behavior: "wait" });
  });

  test("of submissions tells binaries from sources, sorts by that and finds them", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "admin");
    await page.goto("/submissions?size=100");
    const types = page.locator('td[data-label="Type"]');
    await expect(types.first()).toHaveText(/^(binary|source)$/);
    await page.getByTestId("sort-packageBag.binary").click();
    await expect(page).toHaveURL(/sort=packageBag\.binary%2Casc/);
    await expect(headerOf(page, "packageBag.binary")).toHaveAttribute("aria-sort", "ascending");
    await expect(page.getByTestId("table-submissions")).toHaveAttribute("aria-busy", "false");
    const sorted = await types.allInnerTexts();
    expect(sorted).toEqual([...sorted].sort().reverse());
    expect(new Set(sorted)).toEqual(new Set(["source", "binary"]));
    for (const kind of ["binary", "source"]) {
      await page.getByTestId("filter-binary").getByText(kind).click();
      await expect(types.filter({ hasText: kind === "binary" ? "source" : "binary" })).toHaveCount(0);
      await expect(types).toHaveCount(sorted.filter((one) => one === kind).length);
    }
    await page.goto("/packages?binary=true");
    await expect(types.first()).toHaveText("binary");
    await expect(types.filter({ hasText: "source" })).toHaveCount(0);
  });

  test("offers the options of a filter in the order of their labels", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    for (const [address, filter] of [
      ["/submissions", "state"],
      ["/events", "resourceType"],
    ] as const) {
      await page.goto(address);
      await page.getByTestId(`filter-${filter}`).click();
      const options = page.getByRole("dialog").locator("label");
      await expect(options.nth(3)).toBeVisible();
      const labels = await options.allInnerTexts();
      expect(labels).toEqual([...labels].sort((a, b) => a.localeCompare(b)));
    }
  });

  test("is as it was when the breadcrumb of a page leads back to it", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    const lists = ["/packages?technology=R&sort=version%2Cdesc&page=2&size=10", "/repositories?published=any&search=s"];
    for (const address of lists) {
      await page.goto(address);
      const link = page.getByRole("rowheader").getByRole("link").first();
      const name = await link.innerText();
      await link.click();
      await expect(page.getByTestId(/^screen-(package|repository)Details$/).locator("h1")).toBeVisible();
      await page.reload();
      await page.getByRole("navigation", { name: "Breadcrumb" }).getByRole("link").click();
      await expect(page).toHaveURL(address);
      await expect.poll(() => link.innerText()).toBe(name);
    }
  });

  for (const [language, words] of [
    ["pl", { status: ["anulowane", "oczekuje", "odrzucone", "zaakceptowane"] }],
    ["en", { status: ["accepted", "canceled", "rejected", "waiting"] }],
  ] as const)
    test(`sorts the options of its filters by their labels in ${language}`, { tag: longTag }, async ({ page }) => {
      await signInAs(page, "admin");
      await choose(page, "dark", language);
      const labels = async (address: string, filter: string) => {
        await page.goto(address);
        await page.getByTestId(filter).click();
        await expect(page.getByTestId(/^option-/).first()).toBeVisible();
        return page.getByRole("dialog").locator("label").allInnerTexts();
      };
      expect(await labels("/submissions", "filter-state")).toEqual(words.status);
      const all = [
        ["/packages", "filter-submissionState"],
        ["/packages", "filter-origin"],
        ["/users", "filter-roles"],
        ["/events", "filter-eventType"],
        ["/events", "filter-resourceType"],
        ["/events?security=true", "filter-eventType"],
        ["/events?security=true", "filter-resourceType"],
      ] as const;
      for (const [address, filter] of all) {
        const shown = await labels(address, filter);
        expect([address, shown]).toEqual([address, [...shown].sort(new Intl.Collator(language).compare)]);
      }
      await choose(page, "dark", "en"); // which the other specs read
    });

  test("goes ascending, descending and back by its headers", { tag: longTag }, async ({ page }) => {
    await openPackagesAs(page, "admin");
    const header = page.getByRole("columnheader", { name: "Active" });
    for (const sort of ["ascending", "descending", "none"]) {
      await page.getByTestId("sort-active").click();
      await expect(header).toHaveAttribute("aria-sort", sort);
    }
  });

  test("does not react to a pointer that its rows pass below, but to a click that began while they did", async ({
    page,
  }) => {
    await signInAs(page, "admin");
    await page.goto("/packages?size=100");
    const frame = page.getByTestId("table-packages").locator("..");
    const row = page.locator("[data-row]").nth(3);
    const box = await row.boundingBox();
    if (!box) throw new Error("the row is not shown");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    await frame.evaluate((element) =>
      element.addEventListener(
        "pointerdown",
        () => element.setAttribute("data-pressed", element.hasAttribute("data-scrolling") ? "scrolling" : "resting"),
        { capture: true },
      ),
    );
    const press = async () => {
      // On a busy machine, the list may rest before the button is down: again then, after a release elsewhere.
      await expect(async () => {
        await page.mouse.move(1, 1);
        await page.mouse.up();
        await page.mouse.move(x, y);
        await page.mouse.wheel(0, 96);
        await expect(frame).toHaveAttribute("data-scrolling");
        await page.mouse.down();
        await expect(frame).toHaveAttribute("data-pressed", "scrolling", { timeout: 1 });
      }).toPass();
      await expect(frame).not.toHaveAttribute("data-scrolling");
    };
    await press();
    await page.mouse.move(x + 50, y); // as to select text
    await page.mouse.up();
    await expect(page.locator("[data-row][data-open=true]")).toHaveCount(0);
    await press();
    await page.mouse.up();
    await expect(page.locator("[data-row][data-open=true]")).toHaveCount(1);
  });

  test("sorts and selects on a phone, where rows are cards", async ({ page }) => {
    await openPackagesAs(page, "admin");
    await page.setViewportSize({ width: 390, height: 844 });
    await page.getByTestId("sort-repository").click();
    await expect(page).toHaveURL(/sort=repository/);
    await untilQuiet(page); // a list that is loaded again has no selection
    await page.getByText("Select all on this page").click();
    await expect(page.getByTestId(/^select-\d+$/).first()).toBeChecked();
    await expect(page.getByTestId("bulk-deactivate")).toBeVisible();
  });

  test("says why an action is not possible", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/packages?search=cropcurve");
    const remove = page.getByRole("button", { name: /^Delete cropcurve/ }).first();
    await expect(remove).toHaveAttribute("aria-disabled", "true");
    await remove.hover();
    await expect(page.getByRole("tooltip", { name: "You are not authorized to perform this action" })).toBeVisible();
  });

  test("shows what nobody matches as an empty list with a way out", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/packages?search=no-such-package");
    await expect(page.getByTestId("empty")).toContainText("No rows match the filter");
    await page.getByRole("button", { name: "Reset filter" }).click();
    await expect(page).toHaveURL(/\/packages$/);
    await expect(page.getByTestId("table-packages").locator("tr[data-row]").first()).toBeVisible();
  });

  test("falls back to the default order where the server cannot sort by one, or crashes", { tag: longTag }, async ({
    page,
  }) => {
    const packages = `${api("/packages")}?*sort=active*`;
    await signInAs(page, "user");
    await refuse(page, packages, { status: 500, messageCode: "error.internal" });
    await page.goto("/packages?sort=active,desc");
    await expect(page.getByText("This server cannot sort by")).toHaveCount(1);
    await expect(page).toHaveURL(/\/packages$/);
    await expect(page.getByTestId("table-packages").locator("tr[data-row]").first()).toBeVisible();
    await page.unroute(packages);

    const data = { traceId: "trace-of-the-test", timestamp: "2026-11-20T10:00:00Z" };
    await refuse(page, packages, { status: 500, messageCode: "error.internal", data });
    await page.goto("/packages?sort=active,desc");
    await expect(page.getByText("This server cannot sort by")).toHaveCount(1);
    await expect(page).toHaveURL(/\/packages$/);
  });

  test("ignores parameters of its address that make no sense, and keeps the others", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "user");
    await page.goto("/packages?search=cropcurve&deleted=perhaps&sort=shoeSize,asc&page=-3&size=many&open=x&colour=red");
    await expect(page.getByRole("row").filter({ hasText: "cropcurve" }).first()).toBeVisible();
    await expect(page).toHaveURL(/\/packages\?search=cropcurve$/);
    await expect(page.getByTestId("toast-warning")).toContainText(
      "These parts of the address are not valid and were ignored: deleted, sort, page, size, open, colour",
    );
    await page.goto("/packages/Perl/1");
    await expect(page.getByTestId("screen-pageNotFound")).toBeVisible();
    await page.goto("/events?view=cards&zone=mars&eventType=upload");
    await expect(page.getByTestId("timeline")).toBeVisible();
    await expect(page).toHaveURL(/\/events\?eventType=upload$/);
  });

  test("drops what is not known from the address of each screen, with a note", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    for (const [address, left, ignored] of [
      ["/packages?size=100000", "/packages", "size"],
      ["/packages?submissionState=BLAH,WAITING", "/packages?submissionState=WAITING", "submissionState"],
      ["/packages?technology=Cobol&page=2", "/packages?page=2", "technology"],
      ["/submissions?state=LOST&binary=maybe", "/submissions", "state, binary"],
      ["/repositories?technology=Cobol&size=7", "/repositories", "technology, size"],
      ["/users?role=boss", "/users", "role"],
      ["/package-maintainers?technology=Cobol", "/package-maintainers", "technology"],
      ["/repository-maintainers?resourceTechnology=Cobol", "/repository-maintainers", "resourceTechnology"],
      ["/events?eventType=explode&resourceType=moon", "/events", "eventType, resourceType"],
      ["/settings-tokens?active=perhaps", "/settings-tokens", "active"],
      ["/settings-sessions?sort=size,asc", "/settings-sessions", "sort"],
      ["/settings-general?tab=secret", "/settings-general", "tab"],
      ["/settings-security?debug=1", "/settings-security", "debug"],
      ["/settings-password?next=there", "/settings-password", "next"],
      ["/settings-mail?kind=all", "/settings-mail", "kind"],
      ["/upload-packages?results=perhaps", "/upload-packages", "results"],
      ["/review?level=huge&search=x&color=red", "/review?search=x", "level, color"],
    ] as const)
      await test.step(address, async () => {
        await page.goto(address);
        await expect(page.getByTestId("toast-warning").filter({ hasText: ignored.split(", ")[0] ?? "" })).toBeVisible();
        await expect(page).toHaveURL(new URL(left, page.url()).href);
        await expect(page.locator("main h1")).toBeVisible();
      });
  });
});
