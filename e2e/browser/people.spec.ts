import { longTag } from "@packhouse/fixtures/long-form";
import { expect } from "@playwright/test";
import { appointAndDismiss } from "./appoint-and-dismiss.ts";
import { signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("access tokens", () => {
  test("have a dialog that stands still while its calendar is loaded", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/settings-tokens");
    let load: () => void = () => {};
    const asked = new Promise<void>((resolve) => {
      load = resolve;
    });
    await page.route(/\/day-input-[\w-]+\.js$/, async (route) => {
      await asked;
      await route.continue();
    });
    await page.getByTestId("add").click();
    const confirm = page.getByTestId("dialog-confirm");
    await expect(page.getByLabel("Or an expiration date")).toHaveAttribute("readonly");
    const before = await confirm.boundingBox();
    load();
    await expect(page.getByTestId("field-expiryDay")).toBeVisible();
    expect(await confirm.boundingBox()).toEqual(before);
  });

  test("are shown once, work, and end when they are deactivated", async ({ page, request }) => {
    await signInAs(page, "user");
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("field-name-message")).toHaveText("This field is required");
    await page.getByLabel("Name").fill("nightly build");
    await page.getByTestId("field-lifetime").fill("400");
    await expect(page.getByTestId("field-lifetime-message")).toHaveText("Enter a whole number of days from 1 to 365");
    const inTwoWeeks = new Date(Date.now() + 14 * 86_400_000).toLocaleDateString("sv"); // as YYYY-MM-DD
    await page.getByTestId("field-expiryDay").fill(inTwoWeeks);
    await page.keyboard.press("Tab");
    await expect(page.getByTestId("field-lifetime")).toHaveValue("14");
    await page.getByTestId("lifetime-30").click();
    await expect(page.getByTestId("field-expiryDay")).not.toHaveValue(inTwoWeeks);
    // Escape closes the calendar, not the dialog.
    await page.getByTestId("field-expiryDay").click();
    await expect(page.getByRole("button", { name: "Next month" })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("button", { name: "Next month" })).toBeHidden();
    await page.getByTestId("lifetime-90").click();
    await page.getByTestId("dialog-confirm").click();
    const value = (await page.getByTestId("token-value").textContent()) ?? "";
    expect(value).toMatch(/^pkh_[A-Za-z0-9]{32}$/);
    await page.getByRole("button", { name: "OK", exact: true }).click();
    await expect(page.getByText(value)).toHaveCount(0);

    const row = page.getByRole("row").filter({ hasText: "nightly build" });
    await expect(row).toContainText("never");
    const ask = () => request.get("/api/v2/manager/users/me", { headers: { authorization: `Bearer ${value}` } });
    expect((await ask()).status()).toBe(200);

    await row.getByRole("button", { name: "Edit nightly build" }).click();
    await page.getByLabel("Name").fill("morning build");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token edited.")).toBeVisible();

    const renamed = page.getByRole("row").filter({ hasText: "morning build" });
    await renamed.getByRole("button", { name: "Deactivate morning build" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token deactivated.")).toBeVisible();
    // Inactive ones are not among those that the screen shows at first.
    await expect(renamed).toHaveCount(0);
    expect((await ask()).status()).toBe(401);

    await page.getByTestId("filter-active").getByText("any").click();
    await expect(renamed.getByRole("button", { name: "Edit morning build" })).toHaveAttribute("aria-disabled", "true");
    await renamed.getByRole("button", { name: "Delete morning build" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Token deleted.")).toBeVisible();
    await expect(renamed).toHaveCount(0);
  });
});

test.describe("people", () => {
  test("are for administrators, who cannot lock themselves out", async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/users");
    const own = page.getByRole("row").filter({ has: page.getByRole("rowheader", { name: "admin", exact: true }) });
    await expect(own.getByRole("button", { name: /^Delete/ })).toHaveAttribute("aria-disabled", "true");
    await expect(own.getByRole("checkbox", { name: /: active$/ })).toHaveAttribute("aria-disabled", "true");
  });

  test("are given roles", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/users?search=lea");
    const row = page.getByRole("row").filter({ hasText: "Lea Brandt" });
    await expect(row).toContainText("User");
    await row.getByRole("button", { name: /^Edit the role/ }).click();
    await page.getByTestId("field-roleId").click();
    const options = page.getByRole("option").filter({ hasNotText: /^\d+$/ });
    await expect(options).toHaveCount(4); // its own is there before the others have come
    const roles = await options.allInnerTexts();
    expect(roles).toEqual([...roles].sort((a, b) => a.localeCompare(b)));
    await page.getByRole("option", { name: "Package maintainer" }).click();
    await page.getByTestId("dialog-confirm").click();
    await expect(row).toContainText("Package maintainer");
  });

  test("of other roles are sent back to the packages", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "user");
    await page.goto("/users");
    await expect(page).toHaveURL(/\/packages$/);
    await expect(page.getByTestId("nav-users")).toHaveCount(0);
  });
});

test.describe("maintainers", () => {
  test("of packages are appointed for packages that have none", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/package-maintainers");
    const before = await page.getByRole("rowheader").count();
    await page.getByRole("button", { name: "Add a package maintainer" }).click();
    await expect(page.getByTestId("field-packageName")).toBeDisabled();
    await page.getByTestId("field-user").click();
    await page.getByRole("listbox").getByRole("option").first().click();
    await page.getByTestId("field-repository").fill("geo");
    await page.getByRole("option", { name: /geo-internal/ }).click();
    await page.getByTestId("field-packageName").click();
    const free = page.getByRole("listbox").locator('[role="option"]:not([data-combobox-disabled])');
    const name = (await free.first().textContent()) ?? "";
    await free.first().click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText(`now maintains ${name} in geo-internal`)).toBeVisible();
    const row = page.getByRole("row").filter({ hasText: name }).filter({ hasText: "geo-internal" });
    await expect(row).toHaveCount(1);
    // The same package of another repository may have the same maintainer.
    for (const action of [/^edit-/, /^delete-/])
      await expect(row.getByTestId(action)).toHaveAccessibleName(new RegExp(`, ${name} in geo-internal$`));
    expect(await page.getByRole("rowheader").count()).toBeGreaterThanOrEqual(before);
  });

  test("are chosen in fields that show that they are required and can be cleared by keyboard", {
    tag: longTag,
  }, async ({ page }) => {
    await signInAs(page, "admin");
    for (const [list, first, second] of [
      ["/package-maintainers", "user", "repository"],
      ["/repository-maintainers", "user", "repository"],
    ] as const) {
      await page.goto(list);
      await page.getByTestId("add").click();
      for (const name of [first, second]) {
        const field = page.getByTestId(`field-${name}`);
        await expect(field).toHaveAttribute("aria-required", "true");
        await field.click();
        await page.getByRole("listbox").locator('[role="option"]:not([data-combobox-disabled])').first().click();
        await expect(field).not.toHaveValue("");
      }
      await expect(page.getByRole("dialog").getByText("*").first()).toBeVisible();
      await page.getByTestId(`field-${second}`).focus();
      await page.keyboard.press("Tab");
      await expect(page.getByRole("button", { name: "Clear: Repository" })).toBeFocused();
      await page.keyboard.press("Enter");
      await expect(page.getByTestId(`field-${second}`)).toHaveValue("");
      await page.getByTestId("dialog-cancel").click();
    }
  });

  test("are shown with their login in the dialog that changes what they maintain", { tag: longTag }, async ({
    page,
  }) => {
    await signInAs(page, "admin");
    for (const list of ["/package-maintainers?deleted=false", "/repository-maintainers?deleted=false"]) {
      await page.goto(list);
      const [, name = "", login = ""] = (await page.getByRole("rowheader").first().innerText()).split(/\n+/);
      await page
        .getByTestId(/^edit-/)
        .first()
        .click();
      const user = page.getByTestId("field-user");
      await expect(user).toHaveValue(`${name} (${login})`);
      await expect(user).not.toBeEditable();
      await page.getByTestId("dialog-cancel").click();
    }
  });

  test("of repositories are appointed once, and dismissed", { tag: longTag }, async ({ page }) => {
    await signInAs(page, "admin");
    await page.goto("/repository-maintainers");
    await page.getByRole("button", { name: "Add a repository maintainer" }).click();
    await expect(page.getByTestId("field-repository")).toBeDisabled();
    const row = await appointAndDismiss(page);
    await row.getByRole("button", { name: /^Restore/ }).click();
    await expect(row.getByText("deleted", { exact: true })).toHaveCount(0);
  });
});
