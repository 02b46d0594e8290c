import { globSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Locator, type Page } from "@playwright/test";
import { api, change } from "./answers.ts";
import { untilQuiet } from "./quiet.ts";
import { openPackagesAs, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

const consoleFolder = resolve(import.meta.dirname, "../../console");

/** A dialog: what opens it, and the control in which it starts. */
interface Walk {
  kind: string;
  at: string;
  /** Clicked before: opens what the opener is in. */
  first?: string;
  opener: string;
  start: string;
}

const close = { role: "button", name: "Close" } as const;
const onClose = "close";
const cancel = "dialog-cancel";
const walks: Walk[] = [
  { kind: "create", at: "/repositories", opener: "add", start: "field-technology" },
  { kind: "edit", at: "/repositories?search=ops-tools", opener: "^edit-", start: "field-name" },
  { kind: "republish", at: "/repositories?search=ops-tools", opener: "^republish-", start: cancel },
  { kind: "delete", at: "/repositories?search=clinical", opener: "^delete-", start: "field-name" },
  { kind: "create", at: "/package-maintainers", opener: "add", start: "field-user" },
  { kind: "edit", at: "/package-maintainers", opener: "^edit-", start: "field-repository" },
  { kind: "delete", at: "/package-maintainers", opener: "^delete-", start: cancel },
  { kind: "create", at: "/repository-maintainers", opener: "add", start: "field-user" },
  { kind: "edit", at: "/repository-maintainers", opener: "^edit-", start: "field-repository" },
  { kind: "edit", at: "/users?search=lea", opener: "^edit-", start: "field-roleId" },
  { kind: "resetSignIn", at: "/users?search=lea", opener: "^resetSignIn-", start: onClose },
  { kind: "delete", at: "/users?search=lea", opener: "^delete-", start: cancel },
  { kind: "bulk", at: "/users?search=lea", first: "^select-\\d", opener: "bulk-deactivate", start: cancel },
  { kind: "bulk", at: "/packages?search=cropcurve", first: "select-all", opener: "bulk-delete", start: cancel },
  { kind: "create", at: "/settings-tokens", opener: "add", start: "field-name" },
  { kind: "edit", at: "/settings-tokens", opener: "^edit-", start: "field-name" },
  { kind: "rotate", at: "/settings-tokens", opener: "^rotate-", start: cancel },
  { kind: "deactivate", at: "/settings-tokens", opener: "^deactivate-", start: cancel },
  { kind: "delete", at: "/settings-tokens", opener: "^delete-", start: cancel },
  { kind: "end", at: "/settings-sessions", opener: "^end-\\d", start: cancel },
  { kind: "endOthers", at: "/settings-sessions", opener: "end-others", start: cancel },
  { kind: "addFactor", at: "/settings-security", opener: "add-totp", start: "field-password" },
  { kind: "renameFactor", at: "/settings-security", opener: "rename-71", start: "field-factorName" },
  { kind: "removeFactor", at: "/settings-security", opener: "remove-71", start: "field-password" },
  { kind: "recoveryCodes", at: "/settings-security", opener: "new-recovery-codes", start: "field-password" },
];

/** The first one that can be used. */
const found = (page: Page, hook: string): Locator =>
  page
    .getByTestId(hook.startsWith("^") ? new RegExp(hook) : hook)
    .and(page.locator(":not([aria-disabled=true])"))
    .first();

async function openByKey(page: Page, { at, first, opener }: Walk): Promise<Locator> {
  // Dialogs of the same screen are opened one after the other.
  if (!page.url().endsWith(at)) await page.goto(at);
  if (first) await found(page, first).click();
  const control = found(page, opener);
  await control.focus();
  await page.keyboard.press("Enter");
  return control;
}

test.describe("the focus", () => {
  test.beforeEach(async ({ page }) => {
    await signInAs(page, "admin");
    await change(page, api("/access-tokens?*"), (data) => {
      const [token] = data.content as Record<string, unknown>[];
      if (token) Object.assign(token, { active: true, deleted: false });
    });
    await change(page, api("/second-factors"), (data) => {
      const created = "2026-01-02T03:04:05Z";
      const factor = { id: 71, kind: "totp", name: "phone", createdOn: created, lastUsedOn: "", links: [] };
      Object.assign(data, { factors: [factor], recoveryCodes: 8 });
    });
  });

  test("starts in the first field or on the least dangerous control of a dialog, and returns to its opener", {
    tag: longTag,
  }, async ({ page }) => {
    test.setTimeout(240_000);
    await openPackagesAs(page, "admin"); // a second session, which can be ended
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("for dialogs");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("dialog-created")).toBeVisible();
    await page.keyboard.press("Escape");
    for (const walk of walks)
      await test.step(`${walk.kind} at ${walk.at}`, async () => {
        const opener = await openByKey(page, walk);
        const dialog = page.getByTestId(`dialog-${walk.kind}`);
        const start = walk.start === onClose ? dialog.getByRole(close.role, close) : dialog.getByTestId(walk.start);
        await expect(start).toBeFocused();
        await page.keyboard.press("Escape");
        await expect(dialog).toHaveCount(0);
        await expect(opener).toBeFocused();
      });
  });

  test("returns from the search, the keys, the drawer, menus and lists of options", { tag: longTag }, async ({
    page,
  }) => {
    const returns = async (opener: Locator, open: () => Promise<unknown>, opened: Locator) => {
      await opener.focus();
      await open();
      await expect(opened).toBeVisible();
      await expect.poll(() => opened.evaluate((it) => it.contains(document.activeElement))).toBe(true);
      await page.keyboard.press("Escape");
      await expect(opened).toBeHidden();
      await expect(opener).toBeFocused();
    };
    const byEnter = () => page.keyboard.press("Enter");
    await page.goto("/packages");
    await untilQuiet(page);
    const refresh = page.getByTestId("refresh");
    await returns(refresh, () => page.keyboard.press("Control+k"), page.getByRole("dialog"));
    await returns(refresh, () => page.keyboard.press("?"), page.getByTestId("dialog-keys"));
    await returns(page.getByTestId("topbar-notifications"), byEnter, page.getByTestId("notifications-panel"));
    await returns(page.getByTestId("topbar-language"), byEnter, page.getByRole("menu"));
    await returns(page.getByTestId("filter-submissionState"), byEnter, page.getByRole("dialog", { name: "Status" }));
    await returns(page.getByTestId("filter-repository"), byEnter, page.getByRole("dialog", { name: "Repository" }));
    await page.goto("/events");
    await returns(page.getByTestId("export"), byEnter, page.getByRole("menu"));
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto("/packages");
    await returns(page.getByTestId("topbar-menu"), byEnter, page.getByRole("dialog", { name: "Menu" }));
    await returns(page.getByTestId("topbar-user"), byEnter, page.getByRole("menu"));
  });

  test("returns to what opened a page of a manual, and stays on a screen that one does not leave", {
    tag: longTag,
  }, async ({ page }) => {
    await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
    await page.getByRole("rowheader").first().getByRole("link").click();
    const manual = page.getByTestId("read-manual");
    await manual.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("dialog-manual").getByRole(close.role, close)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByTestId("dialog-manual")).toHaveCount(0);
    await expect(manual).toBeFocused();

    await page.goto("/settings-general?tab=tables");
    await page.getByTestId("field-pageSize").fill("20");
    const packages = page.getByTestId("nav-packages").first();
    await packages.focus();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("dialog-leave").getByTestId(cancel)).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(packages).toBeFocused();
  });

  test("goes to a neighbor when the opener is gone", { tag: longTag }, async ({ page }) => {
    await page.goto("/settings-tokens");
    for (const name of ["to go first", "to go next"]) {
      await page.getByTestId("add").click();
      await page.getByTestId("field-name").fill(name);
      await page.getByTestId("dialog-confirm").click();
      await page.getByRole("button", { name: "OK", exact: true }).click();
    }
    await page.goto("/settings-tokens?search=to go");
    const rows = page.locator("tr[data-row]");
    await expect(rows).toHaveCount(2);
    await page.getByRole("button", { name: "Delete to go first" }).focus();
    await page.keyboard.press("Enter");
    await page.getByTestId("dialog-confirm").focus();
    await page.keyboard.press("Enter");
    await expect(rows).toHaveCount(1);
    await expect.poll(() => page.evaluate(() => document.activeElement?.closest("tr[data-row]") !== null)).toBe(true);
    await expect(rows.filter({ hasText: "to go next" })).toHaveCount(1);
  });
});

/** Dialogs that the other specs open: what they need is made there. */
const elsewhere = new Set(["created", "resetSignInDone", "signInAgain", "leave", "keys"]);

test("every dialog of the console is one whose focus is tested", () => {
  const sources = globSync("**/*.tsx", { cwd: consoleFolder, exclude: ["dist/**"] });
  const kinds = sources.flatMap((path) => {
    const text = readFileSync(join(consoleFolder, path), "utf8");
    return [...text.matchAll(/<(?:Confirm)?Dialog\b[^>]*?\skind="(\w+)"/g)].map(([, kind = ""]) => kind);
  });
  const tested = new Set([...walks.map(({ kind }) => kind), ...elsewhere]);
  expect(kinds.length).toBeGreaterThan(20);
  expect([...new Set(kinds)].filter((kind) => !tested.has(kind))).toEqual([]);
  // Modals that are no `Dialog` would not know where to start.
  const own = sources.filter((path) => /<(?:Modal|Drawer)\.Root/.test(readFileSync(join(consoleFolder, path), "utf8")));
  expect(own.sort()).toEqual(["app/shell/drawer-overlay.tsx", "sign-in/sign-in-again.tsx", "ui/dialogs/dialog.tsx"]);
});
