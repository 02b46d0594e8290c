import { longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { api, change, refuseOne } from "./answers.ts";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const everybody = ["events", "addSubmission", "packages", "repositories", "review", "submissions", "settings"];
const roles = [
  { login: "user", entries: everybody },
  { login: "package-maintainer", entries: everybody, tag: longTag },
  { login: "statistics-lead", entries: [...everybody, "packageMaintainers"], tag: longTag },
  { login: "admin", entries: [...everybody, "packageMaintainers", "repositoryMaintainers", "users"], tag: longTag },
];
const guarded = {
  packageMaintainers: "/package-maintainers",
  repositoryMaintainers: "/repository-maintainers",
  users: "/users",
} as const;

test.describe("each role", () => {
  for (const { login, entries, ...tagged } of roles) {
    test(`${login} sees its entries, and is sent back from the others' screens`, tagged, async ({ page }) => {
      await openPackagesAs(page, login);
      const shown = await page
        .locator("[data-testid=drawer] [data-testid^=nav-]")
        .evaluateAll((all) => all.map((one) => (one as HTMLElement).dataset.testid?.slice(4)));
      expect(shown.filter((name) => name !== "logout").sort()).toEqual([...entries].sort());
      for (const [name, address] of Object.entries(guarded)) {
        await page.goto(address);
        if (entries.includes(name)) await expect(page.getByTestId(`table-${name}`)).toBeVisible();
        else await expect(page).toHaveURL(/\/packages$/);
      }
      await page.goto("/repositories");
      await expect(page.getByTestId("table-repositories")).toBeVisible();
      await expect(page.getByTestId("add")).toHaveCount(login === "admin" ? 1 : 0);
      await page.goto("/login");
      await expect(page).toHaveURL(/\/packages$/);
    });
  }
});

test.describe("the search", () => {
  test("finds packages, people and actions, and opens them by keyboard", async ({ page }) => {
    await openPackagesAs(page, "admin");
    await page.keyboard.press("/");
    await page.getByTestId("palette-search").fill("stats-rel");
    await expect(page.getByTestId("palette")).toContainText("Upload to stats-release");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { level: 1, name: "stats-release" })).toBeVisible();
    // It ends with the number of notifications that other specs have caused.
    await expect(page).toHaveTitle(/^Packhouse - repository - stats-release( \(\d+\))?$/);

    await page.keyboard.press("Control+k");
    // What was opened last stands first.
    await expect(page.getByTestId("palette")).toContainText(/^stats-release/);
    await page.getByTestId("palette-search").fill("noor");
    await expect(page.getByTestId("palette")).toContainText("geo-analyst");
    await page.getByTestId("palette-search").fill("light theme");
    await page.keyboard.press("Enter");
    await expect(page.locator("html")).toHaveAttribute("data-mantine-color-scheme", "light");
    await page.getByTestId("topbar-theme").click();
    await expect(page.getByText("Saved your settings").first()).toBeVisible();
  });

  test("shows people to administrators only", { tag: longTag }, async ({ page }) => {
    await openPackagesAs(page, "user");
    await page.getByTestId("search").click();
    await page.getByTestId("palette-search").fill("noor");
    await expect(page.getByTestId("palette")).toContainText("No results for");
  });
});

test.describe("the notifications", () => {
  test("count what is new, lead there, and are seen once they were open", { tag: longTag }, async ({ page }) => {
    await openPackagesAs(page, "admin");
    await page.getByTestId("nav-logout").first().click();
    // Everything since the user's last sign-in is new.
    await change(page, api("/users/me"), (data) => {
      data.lastLoggedInOn = "2025-01-01T00:00:00Z";
    });
    await openPackagesAs(page, "admin");
    await expect(page.getByTestId("notifications-badge")).toHaveText("5");
    await expect(page).toHaveTitle("Packhouse - packages (5)");
    await page.getByTestId("topbar-notifications").click();
    const panel = page.getByTestId("notifications-panel");
    await expect(panel.getByRole("listitem").first()).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("notifications-badge")).toHaveCount(0);
    await page.getByTestId("topbar-notifications").click();
    await expect(panel).toContainText("nothing new");
    await page.getByTestId("notifications-about-me").click();
    await panel.getByTestId("notifications-see-all").click();
    await expect(page).toHaveURL(/\/events$/);
  });
});

test.describe("language and theme", () => {
  test("are switched in the bar, saved, and kept after a reload", async ({ page }) => {
    await openPackagesAs(page, "intern");
    await page.getByTestId("topbar-language").click();
    await expect(page.getByRole("menuitemradio", { name: "English" })).toHaveAttribute("aria-checked", "true");
    await expect(page.getByRole("menuitemradio", { name: "Polski" })).toHaveAttribute("aria-checked", "false");
    // The screen changes at once, and a reload would cancel a save that is on its way.
    const saved = page.waitForResponse((response) => response.request().method() === "PATCH" && response.ok());
    await page.getByTestId("language-pl").click();
    await expect(page.getByRole("heading", { level: 1, name: "Pakiety" })).toBeVisible();
    await saved;
    await page.reload();
    await expect(page.locator("html")).toHaveAttribute("lang", "pl");
    await page.goto("/settings-general");
    await page.getByTestId("field-language").click();
    await page.getByRole("option", { name: "English" }).click();
    // Leaving without saving asks first.
    await page.getByTestId("nav-packages").first().click();
    await expect(page.getByTestId("dialog-confirm")).toBeVisible();
    await page.getByTestId("dialog-cancel").click();
    await page.getByTestId("save").click();
    await expect(page.locator("html")).toHaveAttribute("lang", "en");

    await page.goto("/settings-general?tab=tables");
    await page.getByTestId("field-pageSize").fill("7");
    await page.getByTestId("save").click();
    await expect(page.getByTestId("save")).toHaveCount(0);
    await page.getByTestId("nav-packages").first().click();
    await expect(page.getByTestId("page-size")).toHaveValue("7");
    await expect(page.getByRole("rowheader")).toHaveCount(7);
  });
});

test.describe("the server's configuration", () => {
  test("in declarative mode explains why repositories cannot be changed", { tag: longTag }, async ({ page }) => {
    await change(page, api("/config"), (data) => {
      data.declarativeModeEnabled = true;
    });
    await signInAs(page, "admin");
    await page.goto("/repositories");
    const add = page.getByTestId("add");
    await expect(add).toHaveAttribute("aria-disabled", "true");
    await add.hover();
    await expect(page.getByRole("tooltip")).toContainText("Repositories are defined in the configuration files");
    for (const action of ["edit", "delete"])
      await expect(page.getByTestId(new RegExp(`^${action}-`)).first()).toHaveAttribute("aria-disabled", "true");
    await expect(page.getByTestId(/^publish-/).first()).toHaveAttribute("aria-disabled", "true");
    await expect(page.getByTestId(/^republish-/).first()).not.toHaveAttribute("aria-disabled", "true");
  });

  test("switches deleting, replacing and lifetimes off, each with its reason", { tag: longTag }, async ({ page }) => {
    await change(page, api("/config"), (data) => {
      data.deletingPackagesEnabled = false;
      data.deletingRepositoriesEnabled = false;
      data.accessTokenLifetimeConfigurable = false;
    });
    await openPackagesAs(page, "admin");
    const remove = page.getByTestId(/^delete-/).first();
    await remove.hover();
    await expect(page.getByRole("tooltip")).toContainText("Deleting packages has been switched off on this server");
    await page.goto("/repositories");
    await page
      .getByTestId(/^delete-/)
      .first()
      .hover();
    await expect(page.getByRole("tooltip")).toContainText("Deleting repositories has been switched off");
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await expect(page.getByTestId("field-lifetime")).toBeDisabled();
    await expect(page.getByText("The lifetime of tokens is set by the administrator")).toBeVisible();
  });

  test("of the console sets title, logo and colors, and asks for confirmation instead of delaying", {
    tag: longTag,
  }, async ({ page }) => {
    await page.route("**/configuration.json", async (route) => {
      const response = await route.fetch();
      const json = { ...((await response.json()) as object), title: "Barn", brandColor: "#7a1f5c", undoSeconds: 0 };
      const logo = { address: "/favicon.svg", width: 40, height: 40, className: "house", style: "opacity: 0.9" };
      await route.fulfill({ response, json: { ...json, smallLogo: logo, largeLogo: { ...logo, width: 200 } } });
    });
    await openPackagesAs(page, "admin");
    await expect(page).toHaveTitle("Barn - packages");
    await expect(page.locator("header img.house")).toHaveAttribute("style", "opacity: 0.9");
    await expect(page.locator("header")).toHaveCSS("background-color", "rgb(122, 31, 92)");
    await page
      .getByTestId(/^delete-/)
      .and(page.locator(":not([aria-disabled])"))
      .first()
      .click();
    await expect(page.getByTestId("dialog-delete")).toBeVisible();
    await page.getByTestId("dialog-cancel").click();
  });

  test("that cannot be had changes nothing", { tag: longTag }, async ({ page }) => {
    await page.route(api("/config"), (route) => refuseOne(route, { status: 404, messageCode: "not.found" }));
    await openPackagesAs(page, "admin");
    await expect(
      page
        .getByTestId(/^delete-/)
        .and(page.locator(":not([aria-disabled])"))
        .first(),
    ).toBeVisible();
  });
});

test("what comes late leaves the screen as it is while the server is out of reach, and comes when it is back", {
  tag: longTag,
}, async ({ page }) => {
  const late = /\/assets\/after-first-paint-/;
  const isTaken = (address: string, method: string) => late.test(address) || method === "HEAD";
  let refused = 0;
  await page.route("**", (route, request) => {
    if (!isTaken(request.url(), request.method())) return route.fallback();
    refused += 1;
    return route.abort("internetdisconnected");
  });
  await openPackagesAs(page, "admin");
  await expect(page.getByTestId("table-packages")).toBeVisible();
  await expect.poll(() => refused, { timeout: 30_000 }).toBeGreaterThan(3);
  await expect(page.getByTestId("table-packages")).toBeVisible();
  await page.unrouteAll();
  await page.getByTestId("topbar-notifications").click({ timeout: 20_000 });
  await expect(page.getByTestId("notifications-panel")).toBeVisible();
});
