import { longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { untilQuiet } from "./quiet.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";
import { authorizationOf, uploadWaiting } from "./upload-by-call.ts";

test("a user without a mouse decides twelve waiting submissions", { tag: longTag }, async ({ page, request }) => {
  test.setTimeout(180_000);
  const names = Array.from({ length: 12 }, (_, index) => `keyed${String(index + 1).padStart(2, "0")}`);
  await uploadWaiting(request, "geo-internal", names);

  // From here on there are keys only.
  const { keyboard } = page;
  await page.goto("/login");
  await expect(page.getByTestId("field-login")).toBeFocused();
  await keyboard.type("admin");
  await keyboard.press("Tab");
  await keyboard.type("packhouse-demo");
  await keyboard.press("Enter");
  await expect(page.getByTestId("table-packages")).toBeVisible();
  await keyboard.press("g");
  await keyboard.press("s");
  await expect(page.getByTestId("table-submissions")).toBeVisible();

  // To the search field by Tab, then what to look for.
  for (
    let step = 0;
    step < 60 && !(await page.getByTestId("filter-search").evaluate((it) => it === document.activeElement));
    step += 1
  )
    await keyboard.press("Tab");
  await keyboard.type("keyed");
  await expect(page).toHaveURL(/search=keyed/);
  await expect(page.getByTestId("page-range")).toContainText("of 12");
  // Out of the field, or its keys would be letters.
  await keyboard.press("Tab");

  for (let decided = 0; decided < 10; decided += 1) {
    await keyboard.press("j");
    await keyboard.press(decided % 2 === 0 ? "a" : "r");
    await expect(page.locator("tr:focus")).toContainText(decided % 2 === 0 ? "accepting" : "rejecting");
  }
  // What waits stands first again, as soon as the others are decided.
  const waiting = page.locator("tr[data-row]").filter({ hasText: "waiting" });
  await expect(waiting).toHaveCount(2, { timeout: 20_000 });
  await keyboard.press("]");
  await expect(page).toHaveURL(/page=2/);
  await keyboard.press("[");
  await expect(page).not.toHaveURL(/page=2/);
  await expect(waiting).toHaveCount(2);
  for (let step = 0; step < 12; step += 1) await keyboard.press("k");
  await keyboard.press("a");
  await expect(page.locator("tr:focus")).toContainText("accepting");
  // Taken back, and decided otherwise.
  await keyboard.press("z");
  await expect(page.locator("tr:focus")).toContainText("waiting");
  await keyboard.press("r");
  await keyboard.press("j");
  await keyboard.press("a");
  await expect(waiting).toHaveCount(0, { timeout: 20_000 });

  const headers = await authorizationOf(request, "user");
  const answer = await request.get("/api/v2/manager/submissions?search=keyed&size=20", { headers });
  const { data } = (await answer.json()) as { data: { content: { state: string }[] } };
  const states = data.content.map(({ state }) => state);
  expect(states.filter((state) => state === "ACCEPTED")).toHaveLength(6);
  expect(states.filter((state) => state === "REJECTED")).toHaveLength(6);
});

test("keys can be switched off, and never act while something is typed", async ({ page }) => {
  await page.goto("/login");
  await page.getByTestId("field-login").fill("user");
  await page.getByTestId("field-password").fill("packhouse-demo");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("table-packages")).toBeVisible();
  await page.getByTestId("filter-search").pressSequentially("g r/");
  await expect(page).toHaveURL(/\/packages/);
  await expect(page.getByTestId("palette")).toHaveCount(0);
  await page.getByTestId("filter-search").blur();

  await page.keyboard.press("?");
  const dialog = page.getByRole("dialog", { name: "Keyboard shortcuts" });
  await expect(dialog).toContainText("g p");
  await dialog.getByRole("switch", { name: "Use keyboard shortcuts" }).click();
  await page.keyboard.press("Escape");
  await expect(dialog).toBeHidden();
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await page.keyboard.press("/");
  await untilQuiet(page);
  await expect(page).toHaveURL(/\/packages/);
  await expect(page.getByTestId("palette")).toHaveCount(0);
  // Ctrl K is the browser's kind of shortcut and stays.
  await page.keyboard.press("Control+k");
  await expect(page.getByTestId("palette-search")).toBeVisible();
});

test("keys also move between rows while an action has the focus, and clicks next to it do not open its row", {
  tag: longTag,
}, async ({ page }) => {
  await signInAs(page, "admin");
  await page.goto("/submissions");
  const rows = page.locator("tr[data-row]");
  const actions = rows.first().locator("[data-actions]");
  await actions.getByRole("button").first().focus();
  await page.keyboard.press("j");
  await expect(rows.nth(1)).toBeFocused();
  await actions.click({ position: { x: 2, y: 2 } });
  await expect(rows.first()).toHaveAttribute("data-open", "false");
  await rows
    .first()
    .getByRole("rowheader")
    .click({ position: { x: 2, y: 2 } });
  await expect(rows.first()).toHaveAttribute("data-open", "true");
});
