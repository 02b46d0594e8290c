import { longTag } from "@packhouse/fixtures/long-form";
import { expect, type Locator } from "@playwright/test";
import { untilQuiet } from "./quiet.ts";
import { choose, signInAs } from "./sign-in-as.ts";
import { test } from "./test.ts";

test.describe("a dialog", () => {
  test.beforeEach(({ page }) => signInAs(page, "admin"));

  test("publishes a repository again from its page, which shows that it did", { tag: longTag }, async ({ page }) => {
    await page.goto("/repositories?search=ml-nightly");
    await page.getByRole("link", { name: /ml-nightly/ }).click();
    await expect(page.getByTestId("card-maintainers")).toContainText("repository");
    await page.getByRole("button", { name: "Republish" }).click();
    await expect(page.getByRole("dialog", { name: "Publish ml-nightly again?" })).toBeVisible();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Republished ml-nightly")).toBeVisible();
    await expect(page.getByTestId("card-publication")).toContainText("republished");
    await expect(page.getByTestId("detail-lastPublished")).toContainText("succeeded");
  });

  test("edits a repository from its page", { tag: longTag }, async ({ page }) => {
    await page.goto("/repositories?search=geo-internal");
    await page.getByRole("link", { name: /geo-internal/ }).click();
    await page.getByRole("button", { name: "Edit", exact: true }).click();
    const box = page.getByTestId("field-redirectToSource");
    const before = await box.isChecked();
    await box.setChecked(!before);
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(page.getByText("Redirect to the source package").locator("xpath=following::dd[1]")).toContainText(
      before ? "no" : "yes",
    );
  });

  test("with errors moves the focus to the first of them on Enter, and its button says what is missing", async ({
    page,
  }) => {
    await page.goto("/repositories");
    await page.getByTestId("add").click();
    const confirm = page.getByTestId("dialog-confirm");
    await expect(confirm).toHaveAttribute("aria-disabled", "true");
    await expect(confirm).toHaveAccessibleDescription("Some fields still need your attention");
    await page.getByTestId("field-publicationUri").fill("no address");
    await page.getByTestId("field-publicationUri").press("Enter");
    await expect(page.getByTestId("field-technology")).toBeFocused();
    await page.getByTestId("field-technology").click();
    await page.getByRole("option", { name: "R", exact: true }).click();
    await confirm.press("Enter");
    await expect(page.getByTestId("field-name")).toBeFocused();
    await page.getByTestId("field-name").fill("hayloft");
    await page.getByTestId("field-name").press("Enter");
    await expect(page.getByTestId("field-publicationUri")).toBeFocused();
    await expect(page.getByTestId("field-publicationUri-message")).toHaveText("This should be a url");
    await page.keyboard.press("Escape");

    // Nothing is wrong, but nothing was changed either.
    await page.goto("/repositories?search=geo-internal");
    await page.getByRole("button", { name: "Edit geo-internal" }).click();
    await expect(confirm).toHaveAccessibleDescription("Nothing has been changed yet");
    await page.getByTestId("field-name").press("Enter");
    await expect(page.getByTestId("toast-info")).toContainText("Nothing has been changed yet");
  });

  test("and a switch say what was done to what", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
    const box = page.getByTestId(/^activate-/).first();
    const item = ((await box.getAttribute("aria-label")) ?? "").replace(": active", "");
    await box.click();
    await expect(page.getByTestId("toast-success")).toContainText(`Deactivated ${item}`);
    await page.getByTestId("toast-success").getByRole("button", { name: "Undo" }).click();
    await expect(page.getByText(`Undone: Deactivated ${item}`)).toBeVisible();
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("shed key");
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByText("Created shed key")).toBeVisible();
  });

  test("gives a package maintainer another package", { tag: longTag }, async ({ page }) => {
    await page.goto("/package-maintainers?search=noor");
    await page
      .getByTestId(/^edit-/)
      .first()
      .click();
    await expect(page.getByTestId("dialog-confirm")).toBeDisabled();
    await page.getByTestId("field-packageName").click();
    const free = page.getByRole("listbox").locator('[role="option"]:not([data-combobox-disabled])');
    await free.first().click();
    await expect(page.getByTestId("dialog-cancel")).toBeEnabled();
    await page.getByTestId("dialog-cancel").click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
  });

  test("keeps options that cannot be chosen readable, dark and light", { tag: longTag }, async ({ page }) => {
    for (const theme of ["dark", "light"]) {
      await choose(page, theme, "en");
      await page.goto("/package-maintainers");
      await page.getByTestId("add").click();
      await page.getByTestId("field-user").click();
      await page.getByRole("listbox").getByRole("option").first().click();
      await page.getByTestId("field-repository").fill("stats-release");
      await page.getByRole("option", { name: /stats-release/ }).click();
      await page.getByTestId("field-packageName").click();
      const taken = page.getByRole("listbox").locator('[role="option"][data-combobox-disabled]').first();
      await expect(taken).toBeVisible();
      expect(await contrastOf(taken)).toBeGreaterThan(4.5);
    }
    await choose(page, "dark", "en"); // as the tests that follow expect
  });

  test("explains why a user cannot be a maintainer, and stays open", { tag: longTag }, async ({ page }) => {
    await page.route("**/api/v2/manager/repository-maintainers", (route) =>
      route.request().method() === "POST"
        ? route.fulfill({
            status: 422,
            contentType: "application/json",
            body: JSON.stringify({
              status: "ERROR",
              code: 422,
              message: "",
              messageCode: "error.validation",
              data: ["This user's role is too low for this kind of maintainer."],
            }),
          })
        : route.fallback(),
    );
    await page.goto("/repository-maintainers");
    await page.getByTestId("add").click();
    await page.getByTestId("field-user").click();
    await page.getByRole("listbox").getByRole("option").first().click();
    await page.getByTestId("field-repository").click();
    await page.getByRole("listbox").locator('[role="option"]:not([data-combobox-disabled])').first().click();
    await page.getByTestId("dialog-confirm").click();
    await expect(page.getByTestId("toast-warning")).toContainText(
      "User's permissions are not sufficient to create a maintainer.",
    );
    await expect(page.getByTestId("dialog-create")).toBeVisible();
  });

  for (const [login, other, list, what] of [
    ["package-maintainer", "Repository maintainer", "/package-maintainers", "Package"],
    ["package-maintainer", "User", "/package-maintainers", "Package"],
    ["repository-maintainer", "Package maintainer", "/repository-maintainers", "Repository"],
    ["repository-maintainer", "Administrator", "/repository-maintainers", "Repository"],
  ] as const)
    test(`shows what a ${login} stops maintaining as ${other}, before it is saved`, { tag: longTag }, async ({
      page,
    }) => {
      await page.goto(`${list}?deleted=false&size=100`);
      const rows = page.getByRole("row").filter({ has: page.getByText(login, { exact: true }) });
      await expect(rows.first()).toBeVisible();
      await expect(page.getByRole("table")).toHaveAttribute("aria-busy", "false");
      const kept = await rows.locator(`td[data-label="${what}"]`).allInnerTexts();
      await page.goto(`/users?search=${login}`);
      await page
        .getByRole("row")
        .filter({ hasText: login })
        .getByTestId(/^edit-/)
        .click();
      const records = page.getByTestId("ending-records");
      await expect(page.getByTestId("field-roleId")).toBeVisible();
      await expect(records).toHaveCount(0);
      await page.getByTestId("field-roleId").click();
      await page.getByRole("option", { name: other, exact: true }).click();
      await expect(records).toContainText(new RegExp(` will stop maintaining ${kept.length} `));
      await expect(records.getByRole("listitem")).toHaveCount(kept.length);
      for (const name of kept) await expect(records).toContainText(name);
      await page.getByTestId("dialog-cancel").click();
    });

  test("warns users who change their own role", { tag: longTag }, async ({ page }) => {
    await page.route("**/api/v2/manager/users?*", async (route) => {
      const response = await route.fetch();
      const json = (await response.json()) as { data: { content: { login: string; links: unknown[] }[] } };
      // A server that lets administrators edit themselves.
      for (const one of json.data.content) one.links.push({ rel: "self", href: "", type: "PATCH" });
      await route.fulfill({ response, json });
    });
    await page.goto("/users?search=maren");
    await page
      .getByTestId(/^edit-/)
      .first()
      .click();
    await page.getByTestId("field-roleId").click();
    await page.getByRole("option", { name: "User", exact: true }).click();
    await expect(page.getByText("You are changing your own role: you will be signed out")).toBeVisible();
    await page.getByTestId("dialog-cancel").click();
  });

  test("replaces an access token by a new one", { tag: longTag }, async ({ page, request }) => {
    await page.goto("/settings-tokens");
    await page.getByTestId("add").click();
    await page.getByTestId("field-name").fill("to be rotated");
    await page.getByTestId("lifetime-90").click();
    await page.getByTestId("dialog-confirm").click();
    const old = (await page.getByTestId("token-value").textContent()) ?? "";
    await expect(page.getByRole("tab", { name: "pip.conf" })).toBeVisible();
    await page.getByRole("button", { name: "OK", exact: true }).click();
    await expect(page.getByTestId("token-value")).toBeHidden();
    await page.getByRole("button", { name: "Rotate to be rotated" }).click();
    await page.getByTestId("dialog-confirm").click();
    // The list is loaded again without the old token, and the new one stays to be copied.
    await expect(page.locator("tr[data-row]").filter({ hasText: "to be rotated" })).toHaveCount(1);
    await untilQuiet(page);
    await expect(page.getByTestId("token-value")).not.toHaveText(old);
    const value = (await page.getByTestId("token-value").textContent()) ?? "";
    await page.keyboard.press("Escape");
    const ask = async (token: string) =>
      (await request.get("/api/v2/manager/users/me", { headers: { authorization: `Bearer ${token}` } })).status();
    expect(await ask(value)).toBe(200);
    expect(await ask(old)).toBe(401);
    await expect(page.getByRole("row").filter({ hasText: "to be rotated" })).toHaveCount(1);
  });

  test("shows how to install the displayed version, whichever it is", { tag: longTag }, async ({ page }) => {
    await page.goto("/packages?search=cropcurve&submissionState=ACCEPTED");
    await page.getByRole("rowheader").first().getByRole("link").click();
    await page.getByRole("tab", { name: "renv" }).click();
    await expect(page.getByTestId("install-command").filter({ visible: true })).toContainText("cropcurve@1.10.4");
    await page
      .getByTestId("versions")
      .getByRole("link", { name: /^1\.8\.2/ })
      .click();
    await page.getByRole("tab", { name: "renv" }).click();
    await expect(page.getByTestId("install-command").filter({ visible: true })).toContainText("cropcurve@1.8.2");
    await expect(page.getByTestId("card-dependents")).toContainText("orchardstats");
    await expect(page.getByTestId("prop-imports")).toContainText("trialweave");
  });
});

/** The contrast of a text with what is behind it, as far as it is opaque: axe leaves out what is disabled. */
const contrastOf = (text: Locator): Promise<number> =>
  text.evaluate((element) => {
    const pixel = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
    if (!pixel) throw new Error("no canvas");
    const ancestors: Element[] = [];
    for (let it: Element | null = element; it; it = it.parentElement) ancestors.unshift(it);
    const opacity = ancestors.reduce((product, it) => product * Number(getComputedStyle(it).opacity), 1);
    for (const it of ancestors) {
      pixel.fillStyle = getComputedStyle(it).backgroundColor;
      pixel.fillRect(0, 0, 1, 1);
    }
    const luminance = () => {
      const [red = 0, green = 0, blue = 0] = [...pixel.getImageData(0, 0, 1, 1).data].map((value) =>
        value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
      );
      return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
    };
    const back = luminance();
    pixel.globalAlpha = opacity;
    pixel.fillStyle = getComputedStyle(element).color;
    pixel.fillRect(0, 0, 1, 1);
    const [darker = 0, lighter = 0] = [back, luminance()].sort((a, b) => a - b);
    return (lighter + 0.05) / (darker + 0.05);
  });
