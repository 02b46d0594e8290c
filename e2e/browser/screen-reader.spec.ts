import { longTag } from "@packhouse/fixtures/long-form";
import { type APIRequestContext, expect, type Page } from "@playwright/test";
import { untilQuiet } from "./quiet.ts";
import { choose, openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { authorizationOf } from "./upload-by-call.ts";

/** So that a maintainer is among the events of the sandbox, whatever other tests did there. */
async function appointAndDismissByCall(request: APIRequestContext): Promise<void> {
  const headers = await authorizationOf(request, "admin");
  const idOf = async (list: string, name: string) => {
    const { data } = await (await request.get(`/api/v2/manager/${list}?search=${name}`, { headers })).json();
    return data.content[0].id as number;
  };
  const data = {
    user: { id: await idOf("users", "Amara Lindqvist") },
    repository: { id: await idOf("repositories", "sandbox") },
  };
  const address = "/api/v2/manager/repository-maintainers";
  const appointed = await request.post(address, { headers, data });
  expect(appointed.status()).toBe(201);
  const { id } = (await appointed.json()).data;
  const dismissed = await request.patch(`${address}/${id}`, {
    headers: { ...headers, "content-type": "application/json-patch+json" },
    data: JSON.stringify([{ op: "replace", path: "/deleted", value: true }]),
  });
  expect(dismissed.status()).toBe(200);
}

const press = (page: Page, ...keys: string[]) =>
  keys.reduce((before, key) => before.then(() => page.keyboard.press(key)), Promise.resolve());

test.describe("without a mouse and without a screen", () => {
  test.beforeEach(({ page }) => openPackagesAs(page, "admin"));

  test("the link to the content leads there and stays on the screen", { tag: longTag }, async ({ page }) => {
    await page.goto("/repositories");
    await untilQuiet(page);
    await page.getByRole("link", { name: "Skip to content" }).focus();
    await press(page, "Enter");
    await expect(page.locator("main")).toBeFocused();
    await expect(page).toHaveURL(/\/repositories$/);
    await press(page, "Tab");
    await expect(page.getByTestId("trash")).toBeFocused();
  });

  test("a screen that replaces another one is announced by its name", async ({ page }) => {
    const name = page.getByTestId("screen-name");
    await expect(name).toHaveText("packages");
    await press(page, "g", "r");
    await expect(name).toHaveText("repositories");
    await expect(name).toHaveAttribute("aria-live", "polite");
  });

  test("the search says how many results there are, and which one Enter opens", { tag: longTag }, async ({ page }) => {
    await untilQuiet(page);
    await press(page, "Control+k");
    const field = page.getByRole("combobox", { name: "Find packages, repositories, actions" });
    await field.fill("grade");
    const dialog = page.getByRole("dialog", { name: "Search" });
    await expect(dialog.getByRole("status")).toHaveText(/^\d+ results$/);
    const current = () =>
      field.evaluate((it) => document.getElementById(it.getAttribute("aria-activedescendant") ?? "")?.textContent);
    await expect.poll(current).toMatch(/^gradeline 0\.9\.12/);
    await press(page, "ArrowDown", "ArrowDown", "ArrowDown");
    await expect.poll(current).toMatch(/^gradeline 0\.9\.11/);
    const opens = await current();
    await press(page, "Enter");
    await expect(page.getByRole("heading", { level: 1 })).toContainText(`${opens?.match(/^\S+ [\d.]+\d/)}`);
  });

  test("pages, selections and the details of a row are announced", { tag: longTag }, async ({ page }) => {
    await untilQuiet(page);
    const results = page.getByTestId("bulk-menu").getByRole("status");
    await expect(results).toHaveText(/results, Page 1$/);
    await page.getByTestId("page-next").focus();
    await press(page, "Enter");
    await expect(results).toHaveText(/results, Page 2$/);
    await page.getByTestId("select-all").focus();
    await press(page, "Space");
    const said = page.locator("[data-testid=screen-packages] > [aria-live=polite]");
    await expect(said).toHaveText("10 selected");
    await press(page, "Space");
    await expect(said).toHaveText("");
    const row = page.locator("tr[data-row]").first();
    await row.focus();
    await expect(row).toHaveAccessibleName(/^\S+ \S+ in \S+$/);
    await press(page, "Enter");
    await expect(said).toHaveText("Details shown");
    await press(page, "Enter");
    await expect(said).toHaveText("Details hidden");
  });

  test("a switch is called what it switches, and a technology by its whole name", { tag: longTag }, async ({
    page,
  }) => {
    await page.goto("/packages?search=gradeline&submissionState=ACCEPTED");
    const row = page.locator("tr[data-row]").first();
    await expect(row.getByRole("checkbox", { name: /^gradeline .* in ml-nightly: active$/ })).toBeChecked();
    await expect(row.getByRole("rowheader")).toHaveAccessibleName(/^Python gradeline/);
  });

  test("the links of a repository say what they show all of", { tag: longTag }, async ({ page, request }) => {
    await appointAndDismissByCall(request);
    await page.goto("/repositories?search=sandbox&published=any");
    await page.getByRole("rowheader").getByRole("link").click();
    const main = page.locator("main");
    await expect(main.getByRole("link", { name: "all: Recent events" })).toBeVisible();
    await expect(main.getByRole("link", { name: "all", exact: true })).toHaveCount(0);
    await expect(main.getByRole("link", { name: "manage", exact: true })).toHaveCount(0);
    await expect(
      page.getByTestId("card-events").getByRole("listitem").filter({ hasText: "Amara Lindqvist" }).first(),
    ).toContainText("repository maintainer Amara Lindqvist");
  });

  test("the arrow keys pass the tabs of the settings, and Enter opens one", { tag: longTag }, async ({ page }) => {
    await page.goto("/settings-general");
    await page.getByTestId("tab-general").focus();
    await press(page, "ArrowRight", "ArrowRight");
    await expect(page.getByTestId("tab-tokens")).toBeFocused();
    await expect(page).toHaveURL(/settings-general/);
    await press(page, "Enter");
    await expect(page.getByTestId("table-settingsTokens")).toBeVisible();
  });

  test("z undoes what the last message offers to undo", { tag: longTag }, async ({ page }) => {
    await page.goto("/users?search=statistics-lead&active=any");
    const box = page.getByRole("checkbox", { name: /: active$/ });
    const before = await box.isChecked();
    await box.focus();
    await press(page, "Space");
    await expect(page.getByTestId("undo")).toHaveAttribute("aria-keyshortcuts", "z");
    await expect(box).toBeChecked({ checked: !before });
    await press(page, "z");
    await expect(page.getByTestId("undo")).toBeHidden();
    await expect(box).toBeChecked({ checked: before });
  });

  test("what has the focus is never below the bar of a narrow screen", { tag: longTag }, async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/packages");
    await untilQuiet(page);
    const covered: string[] = [];
    for (let step = 0; step < 70; step += 1) {
      await press(page, "Tab");
      const found = await page.evaluate(() => {
        const focused = document.activeElement;
        const bar = document.querySelector("nav[aria-label='Quick navigation']")?.getBoundingClientRect();
        if (!focused?.closest("main") || focused.matches("tr, main") || !bar) return undefined;
        const { bottom, height } = focused.getBoundingClientRect();
        return height > 0 && bottom > bar.top + 1
          ? (focused.getAttribute("aria-label") ?? focused.outerHTML)
          : undefined;
      });
      if (found) covered.push(found);
    }
    expect(covered).toEqual([]);
  });
});

test("in Polish, what is wrong with a file is Polish too, and how many are wrong is announced", {
  tag: longTag,
}, async ({ page }) => {
  await signInAs(page, "repository-maintainer");
  await choose(page, "dark", "pl");
  await page.goto("/upload-packages?repository=stats-release");
  await page.getByTestId("wizard-continue").click();
  const cut = {
    name: "tidyloom_2.5.0.tar.gz",
    mimeType: "application/gzip",
    buffer: Buffer.from([0x1f, 0x8b, 8, 0, 0]),
  };
  await page.locator("[data-testid=dropzone] input[type=file]").setInputFiles(cut);
  await expect(page.getByTestId("file-0")).toContainText("kończy się za wcześnie");
  await expect(page.getByTestId("file-0")).not.toContainText("it ends too early");
  await expect(page.getByRole("status").filter({ hasText: "Do poprawy: 1" })).toBeVisible();
  await choose(page, "dark", "en"); // as the tests that follow expect
});

test("a message that appears below a resting pointer goes in its time", { tag: longTag }, async ({ page }) => {
  await signInAs(page, "user");
  await page.goto("/packages");
  const toasts = page.getByTestId("toast-success");
  // Where messages appear: at the bottom left.
  await page.mouse.move(160, 860);
  for (const _ of [1, 2]) {
    await page.getByTestId("topbar-theme").focus();
    await page.keyboard.press("Enter");
    await expect(toasts.last()).toBeVisible();
  }
  await expect(toasts).toHaveCount(0, { timeout: 15_000 });
});

test("after signing out, the tab has nothing left of the user", async ({ page }) => {
  await signInAs(page, "user");
  await page.goto("/packages?search=grade");
  await untilQuiet(page);
  await page.evaluate(() => sessionStorage.setItem("packhouse.tab:uploads", JSON.stringify({ user: 1, value: [] })));
  await page.getByTestId("nav-logout").first().click();
  await expect(page.getByTestId("field-login")).toBeVisible();
  expect(await page.evaluate(() => Object.keys(sessionStorage).filter((name) => name.includes("tab:")))).toEqual([]);
});
